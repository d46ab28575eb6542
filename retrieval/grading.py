"""Whether what was found can answer, and whether facts of the taxonomy join it.

What was found is correct, ambiguous or incorrect (Yan et al. 2024, CRAG). Two measures mean the
same for every provider and language: how like the question the best passage is, as a multiple of
the cosine that its embedding is calibrated to, and which share of the question's words one passage
speaks of. Bounds and what they were set on: docs/evaluation.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from retrieval.intents import Intent
from retrieval.passage import Passage
from zol.text import words

#: Likeness of the best passage, as a multiple of the calibrated cosine, and the share of the
#: question's words that one passage has: enough, and too little (docs/evaluation.md).
LIKE, UNLIKE, COVERED, UNCOVERED = 1.45, 1.2, 0.34, 0.26
#: With fewer dense hits than this, facts of the taxonomy join.
FEWEST_HITS = 3


class Grade(StrEnum):
    CORRECT = "correct"
    AMBIGUOUS = "ambiguous"
    INCORRECT = "incorrect"


@dataclass(frozen=True, slots=True)
class GradedEvidence:
    """What a grade is given for."""

    #: The best passage's cosine, as a multiple of the calibrated one.
    likeness: float
    #: The largest share of the question's words that one passage speaks of.
    cover: float


def grade(found: GradedEvidence) -> Grade:
    """Return what the evidence is worth: one good sign is enough, and two bad ones are needed."""
    if found.likeness >= LIKE or found.cover >= COVERED:
        return Grade.CORRECT
    if found.likeness < UNLIKE and found.cover < UNCOVERED:
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


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate decided, and the rule that decided it."""

    injects: bool
    rule: str


def decide(
    intent: Intent,
    *,
    names_a_place: bool = False,
    dense_hits: int,
    best_similarity: float,
    low_similarity: float,
) -> Decision:
    """Apply the four rules in order. `best_similarity` is measured before any floor (spec D6).

    Who finds their way to something that has a telephone number and hours asks the taxonomy too.
    """
    if intent.is_structural or (intent.is_navigational and names_a_place):
        return Decision(injects=True, rule="structural intent")
    if dense_hits < FEWEST_HITS:
        return Decision(injects=True, rule="few dense results")
    if best_similarity < low_similarity:
        return Decision(injects=True, rule="low similarity")
    return Decision(injects=False, rule="strong passages")
