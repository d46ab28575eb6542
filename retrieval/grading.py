"""Whether what was found can answer: correct, ambiguous or incorrect (Yan et al. 2024, CRAG).

With it what follows: leaving out of a context what has nothing to do with the question (Wang et
al. 2023, FILCO), and whether facts of the taxonomy join the passages, or would only dilute them.

Two measures that mean the same for every provider and language: how like the question the best
passage is, as a multiple of the cosine that its embedding is calibrated to, and which share of
the question's words one passage speaks of. Bounds and what they were set on: docs/evaluation.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from retrieval.intents import Intent
from retrieval.passage import Passage
from retrieval.statements import HEADING
from retrieval.tuning import RetrievalTuning
from zol.text import is_row, names_columns, sentences, words


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


def grade(found: GradedEvidence, tuning: RetrievalTuning) -> Grade:
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


def filtered(text: str, keeps: Callable[[str, str], bool]) -> str:
    """Return a text without the sentences and rows that are not kept.

    `keeps` is given a sentence and the heading it stands under. Headings and names of columns stay
    where something under them does.
    """
    return "\n".join(_lines(text, keeps))


def _lines(text: str, keeps: Callable[[str, str], bool]) -> Iterator[str]:
    heading, waiting = "", []
    for line in filter(str.strip, text.splitlines()):
        if line.startswith(HEADING):
            heading, waiting = line.removeprefix(HEADING), [line]
            continue
        if names_columns(line):
            waiting = [*(held for held in waiting if held.startswith(HEADING)), line]
            continue
        whole = [line] if is_row(line) else list(sentences(line))
        kept = _with_next(whole, [keeps(sentence, heading) for sentence in whole])
        if kept:
            yield from waiting
            waiting = []
            yield " ".join(kept)


def _with_next(whole: list[str], fits: list[bool]) -> list[str]:
    """Return the sentences that fit, each with the one behind it: "Daarna betaalt u …"."""
    return [sentence for at, sentence in enumerate(whole) if fits[at] or (at > 0 and fits[at - 1])]


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
    min_hits: int,
    low_similarity: float,
) -> Decision:
    """Apply the four rules in order. `best_similarity` is measured before any floor (spec D6).

    Who finds their way to something that has a telephone number and hours asks the taxonomy too.
    """
    if intent.is_structural or (intent.is_navigational and names_a_place):
        return Decision(injects=True, rule="structural intent")
    if dense_hits < min_hits:
        return Decision(injects=True, rule="few dense results")
    if best_similarity < low_similarity:
        return Decision(injects=True, rule="low similarity")
    return Decision(injects=False, rule="strong passages")
