"""Embeddings from any OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import openai

from retrieval.embedding.base import Calibration, PassageText, remembered
from retrieval.vectors import Matrix, normalised
from zol.errors import EmbeddingFailed
from zol.llm.openai import connected, redacted
from zol.runtime.processor import computing

#: Texts per request: well under every provider's limit, and a retry repeats little.
BATCH = 64
#: Seconds that a request may take.
TIMEOUT = 20.0
#: Model families with prefixes for (query, document).
PREFIXES = {"nomic": ("search_query: ", "search_document: "), "e5": ("query: ", "passage: ")}


class OpenAIEmbedder:
    """Requests vectors of the configured size; the client retries with backoff."""

    name = "openai"
    #: Empty: another language would cost a second request.
    languages: frozenset[str] = frozenset()
    is_local = False
    #: From the references, for text-embedding-3-large.
    calibration = Calibration(floor=0.40, low_similarity=0.35)

    def __init__(
        self, model: str, dimensions: int, *, api_key: str, base_url: str = "", max_retries: int = 3
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self._options = {"timeout": TIMEOUT, "max_retries": max_retries}
        self._key = api_key
        self._base_url = base_url
        self.embed_query = remembered(lambda text: self._embed([self._prefixes[0] + text])[0])

    @cached_property
    def _client(self) -> openai.OpenAI:
        # Made on first use: a process that only migrates needs no key.
        return connected(self, key=self._key, base_url=self._base_url, **self._options)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        prefix = self._prefixes[1]
        batches = [
            self._embed([prefix + text for text in texts[start : start + BATCH]])
            for start in range(0, len(texts), BATCH)
        ]
        empty = np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate(batches) if batches else empty

    def embed_passages(self, passages: Sequence[PassageText]) -> Matrix:
        return self.embed_documents([each.text for each in passages])

    @property
    def _prefixes(self) -> tuple[str, str]:
        name = self.model.rpartition("/")[2].lower()
        families = (pair for family, pair in PREFIXES.items() if family in name.split("-"))
        return next(families, ("", ""))

    def _embed(self, texts: list[str]) -> Matrix:
        # An empty text is refused; a space is not.
        inputs = [text or " " for text in texts]
        try:
            with computing.lent():
                reply = self._client.embeddings.create(
                    model=self.model,
                    input=inputs,
                    dimensions=self.dimensions,
                    encoding_format="float",
                )
        except openai.OpenAIError as error:
            raise EmbeddingFailed(f"{self.model} gave no embeddings: {redacted(error)}") from None
        by_place = sorted(reply.data, key=lambda each: each.index)
        sizes = {len(each.embedding) for each in by_place}
        if len(by_place) != len(texts) or sizes != {self.dimensions}:
            raise EmbeddingFailed(
                f"{self.model} gave {len(by_place)} vectors of {sorted(sizes)} numbers; "
                f"{len(texts)} of {self.dimensions} were asked for"
            )
        return normalised(np.array([each.embedding for each in by_place], dtype=np.float32))
