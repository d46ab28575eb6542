"""What a reranker is, and how its word changes an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from retrieval.fields import reading
from retrieval.passage import Passage


class Reranker(Protocol):
    """Judges texts by a question. Implementations raise only `zol.errors.RerankFailed`."""

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float | None]:
        """Return how relevant each text is; None for one that was not judged."""


def read_as(passage: Passage) -> str:
    """Return a passage as a reranker reads it: its lines, with what each stands under."""
    return "\n".join((passage.source.title, *reading(passage.lines)))


def reordered(
    passages: Sequence[Passage], relevance: Sequence[float | None]
) -> tuple[Passage, ...]:
    """Return passages by relevance; what was not judged follows, in the order it had.

    They share out among themselves the base scores that they had, the highest to the most
    relevant. So nothing is lost, no base leaves its bounds, and what stood behind them still does.
    """
    judged = list(zip(passages, relevance, strict=True))
    known = sorted(
        (pair for pair in judged if pair[1] is not None), key=lambda pair: -(pair[1] or 0.0)
    )
    ordered = [*known, *(pair for pair in judged if pair[1] is None)]
    bases = sorted((p.base for p in passages if p.base is not None), reverse=True)
    shared = (*bases, *[None] * (len(passages) - len(bases)))
    return tuple(
        passage.changed(base=base, relevance=score)
        for (passage, score), base in zip(ordered, shared, strict=True)
    )
