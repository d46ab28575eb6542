"""How well a run of statements answers a question.

One counts for how much of the question it covers, itself or by what stands above it, for giving
the sort of answer that is asked for, for the campus it is about, and for its page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from operator import mul

from chat.engines.embedded.kinds import Sort, Sorts
from chat.engines.embedded.matching import Meanings, Stem, Term
from retrieval.passage import GENERAL, Passage
from retrieval.statements import Form, Line, heading_of, quotable
from zol.text import words

#: What a word of the question counts when it stands in the title or heading above, or in the
#: statement before.
ABOVE, BEFORE = 0.65, 0.35
LONGEST_RUN = 3
#: Each further statement of a run must be worth more than this share of the score.
LENGTH_COST = 0.06
#: What giving the sort of answer that is asked for is worth, and not giving it.
GIVES, GIVES_NOT = 1.4, 0.7
#: What a word counts whose meaning nobody knows and that no title or heading has.
EVERYDAY = 0.5
#: What a passage of another subject counts than the one that dominates.
UNSUITED = 0.75
#: What being about the campus that is asked about is worth, and being about another one.
THERE, ELSEWHERE = 1.2, 0.3


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, item or row, with where it stands."""

    line: Line
    passage: Passage
    place: int
    terms: frozenset[str]
    above: frozenset[str]

    @property
    def text(self) -> str:
        return self.line.text

    @property
    def is_row(self) -> bool:
        return self.line.form is not Form.SENTENCE


@dataclass(frozen=True, slots=True)
class Quote:
    """Statements of one passage that are quoted together, in reading order."""

    passage: Passage
    statements: tuple[Statement, ...]
    #: Share of the question's weight that it covers, from 0 to 1.
    cover: float
    #: Whether it gives the sort of answer that is asked for; also when none is.
    gives: bool = True
    #: Whether it says anything about what the question is about.
    is_relevant: bool = True
    #: What its page, its form and the sort of answer it gives are worth, whatever it says.
    rate: float = 1.0

    @property
    def score(self) -> float:
        return self.cover * self.rate

    @property
    def text(self) -> str:
        return " ".join(statement.text for statement in self.statements)

    @property
    def heading(self) -> str:
        """What the statements stand under: the nearest heading, else the section."""
        return heading_of(self.statements[0].line, self.passage.section)


def anywhere(text: str) -> bool | None:
    return None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a quotation should contain."""

    terms: tuple[Term, ...]
    #: The subject that dominates; passages of another subject are not quoted beside it.
    category: str = GENERAL
    sorts: frozenset[Sort] = frozenset()
    #: Tells whether a text is about the campus asked about, or about another; None: about none.
    is_there: Callable[[str], bool | None] = anywhere


@dataclass(frozen=True, slots=True)
class Reading:
    """The statements of the passages found, and what each word of the question says there."""

    statements: Mapping[int, Sequence[Statement]]
    meaning: Meanings
    weights: Sequence[float]
    wanted: Wanted
    sorts: Sorts | None = None
    #: How likely each page is to answer.
    pages: Mapping[int, float] = field(default_factory=dict)
    #: What words of the pages stand for: the place of each term, and how surely.
    stands_for: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)

    def covered(self, shares: Sequence[float]) -> float:
        """Return which share of the question's weight is covered."""
        covered: float = sum(map(mul, self.weights, shares))
        return covered / (sum(self.weights) or 1.0)

    def shares(self, found: frozenset[str]) -> list[float]:
        """Return for each term how surely it is among these words."""
        shares = [0.0] * len(self.meaning)
        for word in found & self.stands_for.keys():
            for place, surety in self.stands_for[word]:
                shares[place] = max(shares[place], surety)
        return shares


def turned(meaning: Meanings) -> Mapping[str, Sequence[tuple[int, float]]]:
    """Return for each word the terms that it stands for, by their places."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for place, means in enumerate(meaning):
        for word, surety in means.items():
            found[word].append((place, surety))
    return found


def suits(passage: Passage, category: str) -> bool:
    """Whether a passage may be quoted under the dominant subject (the prompt guard, as code)."""
    return GENERAL in (category, passage.category) or (
        passage.category == category or passage.affinity >= 1.0
    )


def cut(passage: Passage, stem: Stem) -> Iterator[Statement]:
    """Yield the quotable statements of a passage."""
    above = f"{passage.source.title} {passage.section}"
    for place, (line, terms, beside) in enumerate(_cut(passage.text, above, stem)):
        yield Statement(line, passage, place, terms, beside)


@lru_cache(maxsize=4_096)
def _cut(
    text: str, above: str, stem: Stem
) -> tuple[tuple[Line, frozenset[str], frozenset[str]], ...]:
    """Cut a text once: passages come back question after question."""
    title = frozenset(map(stem, words(above)))
    return tuple(
        (line, frozenset(map(stem, words(line.text))), title | set(map(stem, words(line.above))))
        for line in quotable(text)
    )


def worths(terms: Sequence[Term], meaning: Meanings, pool: Sequence[Statement]) -> list[float]:
    """Return how much each term says among these statements: the rarer, the more.

    A word that stands nowhere may be missing on the pages, or in our lexicon: it counts, but less.
    """
    found = []
    for term, means in zip(terms, meaning, strict=True):
        names = means.keys()
        titled = sum(not names.isdisjoint(s.above) for s in pool)
        times = sum(not names.isdisjoint(s.terms) or not names.isdisjoint(s.above) for s in pool)
        rarity = log(1 + len(pool) / (1 + times)) if times else log(1 + len(pool) / 8)
        everyday = EVERYDAY if term.is_unknown and not titled else 1.0
        found.append(term.worth * rarity * everyday)
    return found


def runs_of(group: Sequence[Statement], reading: Reading) -> Iterator[Quote]:
    """Yield every run of statements of a passage that has anything to do with the question."""
    own = [reading.shares(statement.terms) for statement in group]
    above = [reading.shares(statement.above) for statement in group]
    for start, first in enumerate(group):
        shares = [0.0] * len(reading.weights)
        for end in range(start, min(len(group), start + LONGEST_RUN)):
            if group[end].line.heading != first.line.heading or breaks(first, group[end]):
                break
            shares = list(map(max, shares, own[end]))
            if any(shares) or any(above[start]) or start == end:
                before = own[start - 1] if start and _follows(group, start) else None
                yield scored(group[start : end + 1], shares, above[start], before, reading)


def _follows(group: Sequence[Statement], start: int) -> bool:
    return group[start - 1].line.run == group[start].line.run


def breaks(first: Statement, other: Statement) -> bool:
    """Whether two statements do not read on: a row after a sentence, another list."""
    return first.is_row != other.is_row or (first.is_row and first.line.run != other.line.run)


def scored(
    run: Sequence[Statement],
    own: Sequence[float],
    above: Sequence[float],
    before: Sequence[float] | None,
    reading: Reading,
) -> Quote:
    around = before or [0.0] * len(own)
    shares = [
        max(said, ABOVE * over, BEFORE * earlier)
        for said, over, earlier in zip(own, above, around, strict=True)
    ]
    passage = run[0].passage
    gives = gives_sort(run, reading)
    cover = reading.covered(shares)
    factor = 1.0 if not reading.wanted.sorts else GIVES if gives else GIVES_NOT
    factor *= place_factor(run, reading.wanted)
    factor *= 1.0 if suits(passage, reading.wanted.category) else UNSUITED
    shorter = 1.0 - LENGTH_COST * (len(run) - 1)
    rate = factor * shorter * reading.pages[passage.source.document_id]
    said = list(map(max, own, above))
    return Quote(passage, tuple(run), cover, gives, is_about(said, reading), rate)


def is_about(shares: Sequence[float], reading: Reading) -> bool:
    """Whether one of the question's subjects is among what is covered; also when it has none."""
    subjects = [term.is_subject for term in reading.wanted.terms]
    if not any(subjects):
        return True
    return any(share and subject for share, subject in zip(shares, subjects, strict=True))


def place_factor(run: Sequence[Statement], wanted: Wanted) -> float:
    """Return what being about the right campus is worth: by the words themselves, else above."""
    first = run[0]
    for text in (
        " ".join(statement.text for statement in run),
        f"{first.line.heading} {first.passage.section}",
        first.passage.source.title,
    ):
        there = wanted.is_there(text)
        if there is not None:
            return THERE if there else ELSEWHERE
    return 1.0


def gives_sort(run: Sequence[Statement], reading: Reading) -> bool:
    wanted = reading.wanted.sorts
    if not wanted or reading.sorts is None:
        return True
    return any(not wanted.isdisjoint(reading.sorts.given(s.text)) for s in run)
