"""What a passage counts once it has been read: a linear model of a few factors, in logarithms.

Boosts say what speaks for a passage; how much each of them says beside the others was a guess of
the references. Here they speak again, as loudly as passages judged in two hospitals ask for,
together with the statement that answers best, with where on its page the passage stands and how
long it is, and with how much it has of what the taxonomy answers. The tables of boosts and what is
found stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import exp, prod
from typing import NamedTuple

from retrieval.passage import Boost, Passage, by_weight
from retrieval.tuning import RetrievalTuning

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


class Held(NamedTuple):
    """Which share a passage has of the doctors and of the departments that the taxonomy answers
    with, and whether (1) or not (0) it has a number or hours asked for; named as in `FACTS`."""

    people: float = 0.0
    places: float = 0.0
    details: float = 0.0


def weigh(
    passages: Iterable[Passage],
    odds: Mapping[int, float],
    tuning: RetrievalTuning,
    held: Mapping[int, Held] | None = None,
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
            *facts(has.get(each.chunk_id, Held()), tuning),
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


def facts(held: Held, tuning: RetrievalTuning) -> Iterator[Boost]:
    """Yield what speaks for a passage that bears out the taxonomy."""
    for (name, voice), share in zip(FACTS.items(), held, strict=True):
        if share:
            yield Boost(name, exp(getattr(tuning, voice) * share))
