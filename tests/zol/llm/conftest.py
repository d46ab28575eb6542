from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.scripted import ScriptedEndpoint, scripted_endpoint
from zol.llm.openai import OpenAIModel


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint() as running:
        yield running


@pytest.fixture
def model(endpoint: ScriptedEndpoint) -> OpenAIModel:
    return OpenAIModel(
        "tiny", endpoint="scripted", api_key="", base_url=endpoint.url, max_retries=0
    )
