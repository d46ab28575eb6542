"""What a passage counts once it has been read, and whether what was found can answer.

A passage counts by a linear model of a few factors, in logarithms: its boosts, each to a power
fitted on passages judged in two hospitals, the statement that answers best, where on its page the
passage stands and how long it is, and how much it has of what the taxonomy answers.

What was found is correct, ambiguous or incorrect (Yan et al. 2024, CRAG). With it what follows:
whether facts of the taxonomy join the passages, or would only dilute them. Two measures mean the
same for every provider and language: how like the question the best passage is, as a multiple of
the cosine that its embedding is calibrated to, and which share of the question's words one passage
speaks of. Bounds and what they were set on: docs/evaluation.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, prod
from typing import NamedTuple

from retrieval.intents import Intent
from retrieval.passage import Boost, Passage, by_weight
from zol.text import words

#: The power to which each of these boosts counts once passages are read; 0: not at all.
BOOST_POWERS: Mapping[str, float] = {
    "category": 2.43,
    "entity_kind": 6.3,
    "language": 2.91,
    "answer_form": 0.0,
    "content_keywords": 2.1,
}
#: The power of e for a passage that has all doctors, or all departments, that the taxonomy answers
#: with (of some: their share), or the number or hours asked for.
FACT_POWERS: Mapping[str, float] = {"people": 3.6, "places": 0.9, "details": 1.65}
#: The power of e for the odds of the best statement, and for a cosine of 1 with the question.
STATEMENT_POWER, LIKENESS_POWER = 0.65, 3.5
#: The boost for the passage that a page begins with, and the power of a passage's length.
OPENING_BOOST, LENGTH_POWER = 1.36, 0.07
#: Likeness of the best passage, as a multiple of the calibrated cosine, and the share of the
#: question's words that one passage has: enough, and too little (docs/evaluation.md).
LIKE, UNLIKE, COVERED, UNCOVERED = 1.45, 1.2, 0.34, 0.26
#: With fewer dense hits than this, facts of the taxonomy join.
FEWEST_HITS = 3
STATEMENT, LIKENESS, OPENING, LENGTH = "statement", "likeness", "opening", "length"
#: How much worse than the worst statement a passage counts that has none.
WORDLESS = 1.0
#: Odds further behind than this are equally hopeless; no passage ever counts nothing.
FURTHEST = 50.0
#: Letters of a usual passage, and the fewest that one is taken to have.
USUAL, FEWEST = 1_000, 20


class PassageSupport(NamedTuple):
    """Which share a passage has of the doctors and of the departments that the taxonomy answers
    with, and whether (1) or not (0) it has a number or hours asked for: as in `FACT_POWERS`."""

    people: float = 0.0
    places: float = 0.0
    details: float = 0.0


def weigh(
    passages: Iterable[Passage],
    odds: Mapping[int, float],
    held: Mapping[int, PassageSupport] | None = None,
) -> tuple[Passage, ...]:
    """Return passages best first by what they count now that the odds of their best statements are
    known, by chunk, and what they hold. The one that is read best counts 1, whatever it was found
    with.

    Done twice is done once: what was counted before is replaced.
    """
    known = tuple(passages)
    best, least = max(odds.values(), default=0.0), min(odds.values(), default=0.0) - WORDLESS
    has = held or {}
    read = [
        (
            *factors(each, odds.get(each.chunk_id, least) - best),
            *facts(has.get(each.chunk_id, PassageSupport())),
        )
        for each in known
    ]
    counts = [prod(factor for _, factor in said) for said in read]
    most = max(counts, default=1.0)
    return by_weight(
        each.changed(answering=count / most, reading=said)
        for each, count, said in zip(known, counts, read, strict=True)
    )


def factors(passage: Passage, behind: float) -> Iterator[Boost]:
    """Yield what speaks for a passage whose best statement is so far behind the best of all."""
    yield Boost(STATEMENT, exp(STATEMENT_POWER * max(behind, -FURTHEST)))
    yield Boost(LIKENESS, exp(LIKENESS_POWER * passage.similarity))
    if passage.ordinal == 0:
        yield Boost(OPENING, OPENING_BOOST)
    letters = max(len(passage.text), FEWEST)
    yield Boost(LENGTH, (letters / USUAL) ** LENGTH_POWER)
    for name, factor in passage.boosts:
        if name in BOOST_POWERS:
            yield Boost(name, factor ** (BOOST_POWERS[name] - 1.0))


def facts(held: PassageSupport) -> Iterator[Boost]:
    """Yield what speaks for a passage that bears out the taxonomy."""
    for (name, power), share in zip(FACT_POWERS.items(), held, strict=True):
        if share:
            yield Boost(name, exp(power * share))


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
