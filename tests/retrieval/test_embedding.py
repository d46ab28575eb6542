"""Embeddings have length 1, are the same everywhere, and their failures are our own errors."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding import get_embedder
from retrieval.embedding.openai import BATCH, OpenAIEmbedder
from tests.scripted import Line, ScriptedEndpoint, scripted_endpoint
from zol.errors import EmbeddingFailed


@pytest.mark.parametrize("provider", ["lexical", "multilingual"])
def test_a_provider_that_is_gone_says_what_to_set(settings, provider):
    settings.EMBEDDING = {**settings.EMBEDDING, "provider": provider}

    with pytest.raises(ImproperlyConfigured, match=f"{provider} is gone: remove it or set .*=e5"):
        get_embedder()


class Vectors:
    """What an endpoint in OpenAI's form answers to texts."""

    #: Numbers of a vector; 0 for as many as are asked for.
    size = 0

    def __init__(self) -> None:
        #: Statuses to answer with before any good answer.
        self.failures: list[int] = []

    def __call__(self, request: dict[str, Any]) -> Line:
        if self.failures:
            return Line(status=self.failures.pop(0), headers={"Retry-After": "0"})
        rest = [0.5] * ((self.size or request["dimensions"]) - 1)
        data = [
            {"object": "embedding", "index": n, "embedding": [float(len(text)), *rest]}
            for n, text in enumerate(request["input"])
        ]
        # Out of order, as the form allows.
        reply = {"object": "list", "data": data[::-1], "model": request["model"]}
        return Line(raw=json.dumps(reply))


@pytest.fixture
def vectors() -> Vectors:
    return Vectors()


@pytest.fixture
def endpoint(vectors: Vectors) -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint(vectors) as served:
        yield served


@pytest.fixture
def openai_embedder(endpoint: ScriptedEndpoint) -> OpenAIEmbedder:
    return OpenAIEmbedder("text-embedding-3-large", 8, api_key="k", base_url=endpoint.url)


def test_texts_are_sent_in_batches_and_come_back_in_order(endpoint, openai_embedder):
    texts = ["x" * (n % 50 + 1) for n in range(BATCH + 5)]

    matrix = openai_embedder.embed_documents(texts)

    assert [len(asked["input"]) for asked in endpoint.requests] == [BATCH, 5]
    assert endpoint.requests[0]["dimensions"] == 8
    expected = np.array([[len(text), *[0.5] * 7] for text in texts], dtype=np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(matrix, expected, atol=1e-5)


def test_a_busy_endpoint_is_asked_again(endpoint, vectors, openai_embedder):
    vectors.failures = [429, 503]

    openai_embedder.embed_query("parkeren")

    assert len(endpoint.requests) == 3


def test_a_question_is_asked_once_and_again_when_that_failed(endpoint, vectors, openai_embedder):
    vectors.failures = [400]
    with pytest.raises(EmbeddingFailed, match="text-embedding-3-large"):
        openai_embedder.embed_query("parkeren")

    first = openai_embedder.embed_query("parkeren")

    assert openai_embedder.embed_query("parkeren") is first
    assert len(endpoint.requests) == 2


def test_an_endpoint_that_is_not_there_is_our_own_error():
    embedder = OpenAIEmbedder("m", 8, api_key="", base_url="http://127.0.0.1:9/v1", max_retries=0)

    with pytest.raises(EmbeddingFailed):
        embedder.embed_query("parkeren")


def test_vectors_of_another_size_are_refused(vectors, openai_embedder):
    vectors.size = 5

    with pytest.raises(EmbeddingFailed, match="of 8 were asked for"):
        openai_embedder.embed_query("parkeren")


def test_models_that_want_to_know_are_told_what_a_text_is_for(endpoint):
    embedder = OpenAIEmbedder("nomic-embed-text", 8, api_key="", base_url=endpoint.url)

    embedder.embed_query("a")
    embedder.embed_documents(["b"])

    assert [asked["input"] for asked in endpoint.requests] == [
        ["search_query: a"],
        ["search_document: b"],
    ]
