"""Prepare ranked passages as evidence: grade them, gate the taxonomy's facts, add neighbours.

Grades follow CRAG (Yan et al. 2024): correct, ambiguous or incorrect, by two measures that mean the
same for every provider and language: the cosine of the best passage, as a multiple of its
calibrated value, and the largest share of the question's words in one passage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from retrieval.intents import Intent
from retrieval.passage import Passage
from zol.text import words

#: Thresholds for a correct and an incorrect grade: cosine of the best passage as a multiple of the
#: calibrated one, and share of the question's words in one passage.
LIKE, UNLIKE, COVERED, UNCOVERED = 1.45, 1.2, 0.34, 0.26
#: Fewest dense hits without facts of the taxonomy.
FEWEST_HITS = 3


class Grade(StrEnum):
    CORRECT = "correct"
    AMBIGUOUS = "ambiguous"
    INCORRECT = "incorrect"


@dataclass(frozen=True, slots=True)
class GradedEvidence:
    """The measures that a grade is based on."""

    #: The best passage's cosine, as a multiple of the calibrated one.
    likeness: float
    #: The largest share of the question's words in one passage.
    cover: float


def grade(found: GradedEvidence) -> Grade:
    """Return the grade: one good measure is enough for correct, incorrect needs two bad ones."""
    if found.likeness >= LIKE or found.cover >= COVERED:
        return Grade.CORRECT
    if found.likeness < UNLIKE and found.cover < UNCOVERED:
        return Grade.INCORRECT
    return Grade.AMBIGUOUS


def cover(asked: Collection[str], passages: Sequence[Passage], stem: Callable[[str], str]) -> float:
    """Return the largest share of the question's words in one passage."""
    wanted = frozenset(map(stem, asked))
    if not wanted:
        return 0.0
    texts = (f"{each.source.title} {each.section} {each.text}" for each in passages)
    found = (wanted.intersection(map(stem, words(text))) for text in texts)
    return max((len(each) / len(wanted) for each in found), default=0.0)


@dataclass(frozen=True, slots=True)
class Decision:
    """The gate's decision and the rule behind it."""

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
    """Decide by four rules in order whether taxonomy facts join the passages.

    `best_similarity` is measured before any floor (spec D6). A question for the way to a named
    place, which has a telephone number and hours, asks the taxonomy too.
    """
    if intent.is_structural or (intent.is_navigational and names_a_place):
        return Decision(injects=True, rule="structural intent")
    if dense_hits < FEWEST_HITS:
        return Decision(injects=True, rule="few dense results")
    if best_similarity < low_similarity:
        return Decision(injects=True, rule="low similarity")
    return Decision(injects=False, rule="strong passages")


#: Longest overlap of neighbours in words; chunks share 70 tokens.
LONGEST_OVERLAP = 90
SHORTEST_OVERLAP = 5


def with_neighbours(
    passages: Sequence[Passage], neighbours: Mapping[int, Sequence[Passage]], factor: float
) -> tuple[Passage, ...]:
    """Add the chunks before and after each passage, at a part of its score."""
    known = {passage.chunk_id: passage for passage in passages}
    for passage in passages:
        for neighbour in neighbours.get(passage.chunk_id, ()):
            if neighbour.chunk_id not in known:
                known[neighbour.chunk_id] = replace(
                    neighbour,
                    base=(passage.base or 0.0) * factor,
                    boosts=passage.boosts,
                    affinity=passage.affinity,
                    similarity=0.0,
                )
    return tuple(known.values())


def without_overlap(before: str, text: str) -> str:
    """Return a text without the words that repeat the end of the text before it."""
    earlier, later = before.split(), text.split()
    for size in range(min(LONGEST_OVERLAP, len(earlier), len(later)), SHORTEST_OVERLAP - 1, -1):
        if earlier[-size:] == later[:size]:
            # Split once for each word: the rest keeps its line breaks.
            return [*text.split(maxsplit=size), ""][size]
    return text
