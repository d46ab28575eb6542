"""How well an answer is borne out by what was read, and whether it answers what was asked (D11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

#: Cosine of two texts.
Resembles: TypeAlias = Callable[[str, str], float]
CONTEXT, QUESTION = 0.7, 0.3


def quality(answer: str, context: Sequence[str], question: str, resembles: Resembles) -> float:
    """Return 0.7 of its likeness to what it rests on most, and 0.3 of that to the question.

    A short answer is like the passage it comes from, and unlike a whole dossier.
    """
    nearest = max((resembles(answer, text) for text in context), default=0.0)
    return CONTEXT * nearest + QUESTION * resembles(question, answer)
