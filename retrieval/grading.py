"""Whether what was found can answer: correct, ambiguous or incorrect (Yan et al. 2024, CRAG).

Two measures that mean the same for every provider and language: how like the question the best
passage is, as a multiple of the cosine that its embedding is calibrated to, and which share of
the question's words one passage speaks of. Bounds and what they were set on: docs/evaluation.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from retrieval.passage import Passage
from retrieval.tuning import RetrievalTuning
from zol.text import words


class Grade(StrEnum):
    CORRECT = "correct"
    AMBIGUOUS = "ambiguous"
    INCORRECT = "incorrect"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a grade is given for."""

    #: The best passage's cosine, as a multiple of the calibrated one.
    likeness: float
    #: The largest share of the question's words that one passage speaks of.
    cover: float


def grade(found: Evidence, tuning: RetrievalTuning) -> Grade:
    """Return what the evidence is worth: one good sign is enough, and two bad ones are needed."""
    if found.likeness >= tuning.crag_like or found.cover >= tuning.crag_cover:
        return Grade.CORRECT
    if found.likeness < tuning.crag_unlike and found.cover < tuning.crag_uncovered:
        return Grade.INCORRECT
    return Grade.AMBIGUOUS


def cover(asked: Collection[str], passages: Sequence[Passage], stem: Callable[[str], str]) -> float:
    """Return the largest share of the words asked that one passage speaks of."""
    wanted = frozenset(map(stem, asked))
    if not wanted:
        return 0.0
    spoken = (frozenset(map(stem, words(_read(passage)))) for passage in passages)
    return max((len(wanted & said) / len(wanted) for said in spoken), default=0.0)


def _read(passage: Passage) -> str:
    return f"{passage.source.title} {passage.section} {passage.text}"
