"""How well an answer is borne out by what was read, and whether it answers what was asked (D11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: Cosine of two texts.
Resembles: TypeAlias = Callable[[str, str], float]
CONTEXT, QUESTION = 0.7, 0.3


def quality(answer: str, context: str, question: str, resembles: Resembles) -> float:
    """Return 0.7 of its likeness to the context, and 0.3 of its likeness to the question."""
    return CONTEXT * resembles(answer, context) + QUESTION * resembles(question, answer)
