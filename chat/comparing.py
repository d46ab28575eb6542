"""Comparing what passages say with a question, and with each other, by the vectors kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np

from retrieval.embedding import Embedder
from retrieval.index.statements import vectors_of
from retrieval.passage import Passage
from retrieval.query import Spoken
from retrieval.search import spoken_vector
from retrieval.statements import compared_texts
from retrieval.vectors import Matrix

#: A chunk as it was read.
Read: TypeAlias = tuple[int, str]


class Comparing:
    """Compares statements; of a passage that a turn has read once, nothing is read again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[Read, Matrix] = {}

    def likeness(self, question: Spoken, passages: Sequence[Passage]) -> Matrix:
        """Return how alike all statements of passages are to a question, in order."""
        asked = spoken_vector(question, self._embedder) * self._embedder.calibration.gain
        alike: Matrix = self.vectors(passages) @ asked
        return alike

    def vectors(self, passages: Sequence[Passage]) -> Matrix:
        """Return the vectors of all statements of passages, in order, of length 1: a row for each.

        Those of which none are kept are embedded now.
        """
        keys = [(passage.chunk_id, passage.text) for passage in passages]
        anew = {key: p for key, p in zip(keys, passages, strict=True) if key not in self._known}
        if anew:
            self._known |= self._read(anew)
        return np.concatenate([self._known[key] for key in keys])

    def _read(self, passages: Mapping[Read, Passage]) -> Mapping[Read, Matrix]:
        kept = vectors_of(passages.values(), self._embedder)
        found = {key: kept[key[0]] for key in passages if key[0] in kept}
        unheard = {
            key: compared_texts(passage.text, passage.section)
            for key, passage in passages.items()
            if key not in found
        }
        if not unheard:
            return found
        now = self._embedder.embed_documents([*chain.from_iterable(unheard.values())])
        ends = np.cumsum([len(texts) for texts in unheard.values()])
        return found | dict(zip(unheard, np.split(now, ends[:-1]), strict=True))
