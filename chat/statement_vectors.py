"""Comparing what passages say with a question, and with each other, by what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from retrieval.embedding import Embedder, get_hearer
from retrieval.index.statements import StatementVectors, kept_of, told_now
from retrieval.passage import Passage
from retrieval.query import QueryText
from retrieval.reader import ReaderVerdict, Statement, reader
from retrieval.search import spoken_vector
from retrieval.statements import heading_of, quotable
from retrieval.vectors import Matrix

#: A chunk as it was read.
Read: TypeAlias = tuple[int, str]


class Comparing:
    """Compares statements; of a passage that a turn has read once, nothing is read again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[Read, StatementVectors] = {}

    def likeness(self, question: QueryText, passages: Sequence[Passage]) -> Matrix:
        """Return how alike all statements of passages are to a question, in order."""
        asked = spoken_vector(question, self._embedder) * self._embedder.calibration.gain
        alike: Matrix = self.vectors(passages) @ asked
        return alike

    def vectors(self, passages: Sequence[Passage]) -> Matrix:
        """Return the vectors of all statements of passages, in order, of length 1: a row for each.

        Those of which nothing is kept are read now.
        """
        return np.concatenate([each.vectors for each in self._told(passages)])

    def read(self, question: QueryText, passages: Sequence[Passage]) -> ReaderVerdict | None:
        """Return what the reader makes of all statements of passages, in order; None where the
        provider keeps nothing that it could read."""
        told = self._told(passages)
        if not any(each.pieces for each in told):
            return None
        near = np.concatenate([e.vectors for e in told]) @ spoken_vector(question, self._embedder)
        likeness = iter(near.tolist())
        said = [
            Statement(
                line.text,
                f"{passage.source.title} {heading_of(line, passage.section)}",
                passage.source.language,
                next(likeness),
                pieces,
            )
            for passage, each in zip(passages, told, strict=True)
            for line, pieces in zip(quotable(passage.text), each.pieces, strict=True)
        ]
        learned = reader()
        _, states = get_hearer().half_read(question.whole)
        return learned.read(learned.asked(question.whole, question.asked_in, states), said)

    def _told(self, passages: Sequence[Passage]) -> list[StatementVectors]:
        keys = [(passage.chunk_id, passage.text) for passage in passages]
        anew = {key: p for key, p in zip(keys, passages, strict=True) if key not in self._known}
        if anew:
            self._known |= self._read(anew)
        return [self._known[key] for key in keys]

    def _read(self, passages: Mapping[Read, Passage]) -> Mapping[Read, StatementVectors]:
        kept = kept_of(passages.values(), self._embedder)
        found = {key: kept[key[0]] for key in passages if key[0] in kept}
        unheard = [key for key in passages if key not in found]
        now = told_now([passages[key] for key in unheard], self._embedder)
        return found | dict(zip(unheard, now, strict=True))
