"""Two encoders heard together: what one does not hear, the other may.

A vector is that of both, one after the other, each as long as its share asks for; so a cosine is
the mean of theirs, weighed by the shares, and whoever compares vectors need not know.

The encoder of passages was trained on questions with what answers them, the sentence encoder on
sentences that mean the same; they err about different things. Dense lane alone, nDCG@10 of 370
fresh questions of three hospitals (lay words, eight languages): sentence encoder 0.30, 0.32 and
0.54; encoder of passages 0.55, 0.60 and 0.63; together, two to one, 0.59, 0.58 and 0.73.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import numpy as np

from retrieval.embedding.base import (
    Calibration,
    Embedder,
    EncoderPassage,
    Forgets,
    Keep,
    ReadsInContext,
    Remembering,
    size_of,
)
from retrieval.vectors import Matrix


class Together(Remembering):
    """Embedders whose vectors stand one after the other. The first reads passages in context."""

    name = "together"
    is_local = True
    compares_sentences = True
    #: Each part decides for itself (`retrieval.search.question_vector`).
    translation_share = 0.0

    def __init__(
        self,
        parts: Sequence[Embedder],
        shares: Sequence[float],
        calibration: Calibration,
        dimensions: int = 0,
    ) -> None:
        super().__init__()
        self.parts, self.calibration = tuple(parts), calibration
        self.model = "+".join(part.model for part in parts)
        self.dimensions = size_of(dimensions, sum(part.dimensions for part in parts))
        self.languages = frozenset().union(*(part.languages for part in parts))
        self._lengths = [sqrt(share / sum(shares)) for share in shares]

    def joined(self, vectors: Sequence[Matrix]) -> Matrix:
        """Return one vector, or one row for each, of those of the parts."""
        scaled = [rows * length for rows, length in zip(vectors, self._lengths, strict=True)]
        both = np.concatenate(scaled, axis=-1)
        spare = self.dimensions - both.shape[-1]
        return np.pad(both, [(0, 0)] * (both.ndim - 1) + [(0, spare)]) if spare else both

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return self.joined([part.embed_documents(texts) for part in self.parts])

    def expect(self, text: str) -> None:
        self.parts[0].embed_query(text)

    def forget(self) -> None:
        super().forget()
        for part in self.parts:
            if isinstance(part, Forgets):
                part.forget()

    def embed_passages(
        self, passages: Sequence[EncoderPassage], keep: Keep | None = None
    ) -> tuple[Matrix, list[Matrix]]:
        """Return what each part makes of passages and of their statements; all read at a time."""
        with ThreadPoolExecutor(len(self.parts)) as readers:
            read = list(readers.map(lambda part: part_read(part, passages, keep), self.parts))
        whole = self.joined([each for each, _ in read])
        return whole, [self.joined(rows) for rows in zip(*(said for _, said in read), strict=True)]

    def _question_anew(self, text: str) -> Matrix:
        return self.joined([part.embed_query(text) for part in self.parts])


def part_read(
    part: Embedder, passages: Sequence[EncoderPassage], keep: Keep | None = None
) -> tuple[Matrix, list[Matrix]]:
    if isinstance(part, ReadsInContext):
        return part.embed_passages(passages, keep)
    whole = part.embed_documents([each.text for each in passages])
    # Pages repeat themselves, and each other.
    texts = {said: n for n, said in enumerate(dict.fromkeys(_said(passages)))}
    every = part.embed_documents(list(texts))
    return whole, [every[[texts[said] for said in _said([each])]] for each in passages]


def _said(passages: Sequence[EncoderPassage]) -> list[str]:
    return [f"{heading}: {text}" for each in passages for heading, text in each.statements]
