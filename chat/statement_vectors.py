"""Comparing what passages say with a question, and with each other, by what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from retrieval.embedding import Embedder
from retrieval.index.statements import kept_of, told_now
from retrieval.passage import Passage
from retrieval.query import QueryText
from retrieval.search import question_vector
from retrieval.vectors import Matrix

#: A chunk as it was read.
Read: TypeAlias = tuple[int, str]


class Comparing:
    """Compares statements; of a passage that a turn has read once, nothing is read again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[Read, Matrix] = {}

    def likeness(self, question: QueryText, passages: Sequence[Passage]) -> Matrix:
        """Return how alike all statements of passages are to a question, in order."""
        asked = question_vector(question, self._embedder) * self._embedder.calibration.gain
        alike: Matrix = self.vectors(passages) @ asked
        return alike

    def vectors(self, passages: Sequence[Passage]) -> Matrix:
        """Return the vectors of all statements of passages, in order, of length 1: a row for each.

        Those of which nothing is kept are read now.
        """
        return np.concatenate(self._told(passages))

    def _told(self, passages: Sequence[Passage]) -> list[Matrix]:
        keys = [(passage.chunk_id, passage.text) for passage in passages]
        anew = {key: p for key, p in zip(keys, passages, strict=True) if key not in self._known}
        if anew:
            self._known |= self._read(anew)
        return [self._known[key] for key in keys]

    def _read(self, passages: Mapping[Read, Passage]) -> Mapping[Read, Matrix]:
        kept = kept_of(passages.values(), self._embedder)
        found = {key: kept[key[0]] for key in passages if key[0] in kept}
        unheard = [key for key in passages if key not in found]
        now = told_now([passages[key] for key in unheard], self._embedder)
        return found | dict(zip(unheard, now, strict=True))
