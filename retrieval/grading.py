"""What a passage counts once it has been read, and whether what was found can answer.

A passage counts by a linear model of a few factors, in logarithms. Boosts say what speaks for a
passage; how much each of them says beside the others was a guess of the references. Here they speak
again, as loudly as passages judged in two hospitals ask for, together with the statement that
answers best, with where on its page the passage stands and how long it is, and with how much it has
of what the taxonomy answers. The tables of boosts and what is found stay what they are.

What was found is correct, ambiguous or incorrect (Yan et al. 2024, CRAG). With it what follows:
leaving out of a context what has nothing to do with the question (Wang et al. 2023, FILCO), and
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
from retrieval.statements import HEADING
from retrieval.tuning import RetrievalTuning
from zol.text import is_row, names_columns, sentences, words

#: The boosts that speak again, each by the number that says how loudly; 1 is: no more than before.
VOICES: Mapping[str, str] = {
    "category": "category_voice",
    "entity_kind": "entity_kind_voice",
    "language": "language_voice",
    "answer_form": "answer_form_voice",
    "content_keywords": "content_keywords_voice",
}
#: What a passage has of what the taxonomy answers, each by the same.
FACTS: Mapping[str, str] = {
    "people": "people_voice",
    "places": "places_voice",
    "details": "details_voice",
}
STATEMENT, LIKENESS, OPENING, LENGTH = "statement", "likeness", "opening", "length"
#: How much worse than the worst statement a passage counts that has none.
WORDLESS = 1.0
#: Odds further behind than this are equally hopeless; no passage ever counts nothing.
FURTHEST = 50.0
#: Letters of a usual passage, and the fewest that one is taken to have.
USUAL, FEWEST = 1_000, 20


class PassageSupport(NamedTuple):
    """Which share a passage has of the doctors and of the departments that the taxonomy answers
    with, and whether (1) or not (0) it has a number or hours asked for; named as in `FACTS`."""

    people: float = 0.0
    places: float = 0.0
    details: float = 0.0


def weigh(
    passages: Iterable[Passage],
    odds: Mapping[int, float],
    tuning: RetrievalTuning,
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
            *factors(each, odds.get(each.chunk_id, least) - best, tuning),
            *facts(has.get(each.chunk_id, PassageSupport()), tuning),
        )
        for each in known
    ]
    counts = [prod(factor for _, factor in said) for said in read]
    most = max(counts, default=1.0)
    return by_weight(
        each.changed(answering=count / most, reading=said)
        for each, count, said in zip(known, counts, read, strict=True)
    )


def factors(passage: Passage, behind: float, tuning: RetrievalTuning) -> Iterator[Boost]:
    """Yield what speaks for a passage whose best statement is so far behind the best of all."""
    yield Boost(STATEMENT, exp(tuning.skim_voice * max(behind, -FURTHEST)))
    yield Boost(LIKENESS, exp(tuning.likeness_voice * passage.similarity))
    if passage.ordinal == 0:
        yield Boost(OPENING, tuning.opening_boost)
    letters = max(len(passage.text), FEWEST)
    yield Boost(LENGTH, (letters / USUAL) ** tuning.length_voice)
    for name, factor in passage.boosts:
        if name in VOICES:
            yield Boost(name, factor ** (getattr(tuning, VOICES[name]) - 1.0))


def facts(held: PassageSupport, tuning: RetrievalTuning) -> Iterator[Boost]:
    """Yield what speaks for a passage that bears out the taxonomy."""
    for (name, voice), share in zip(FACTS.items(), held, strict=True):
        if share:
            yield Boost(name, exp(getattr(tuning, voice) * share))


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
