from collections.abc import Iterator
from typing import Any

import pytest

from tests.scripted import ScriptedEndpoint, scripted_endpoint
from zol.llm.calls import TierModels
from zol.llm.openai import Endpoint, OpenAIModel


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint() as running:
        yield running


@pytest.fixture
def model(endpoint: ScriptedEndpoint) -> TierModels:
    return models(endpoint.url)


def models(*urls: str, hedge: float = 0.0, **options: Any) -> TierModels:
    """Return a model that is asked at each of these addresses."""
    names = ("scripted", "second")
    return TierModels(
        [
            OpenAIModel("tiny", Endpoint(name, base_url=url), **options)
            for name, url in zip(names, urls, strict=False)
        ],
        hedge=hedge,
    )
