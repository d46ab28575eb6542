"""Choosing the sentences that answer a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt
from typing import TypeAlias

from chat.engines.embedded.statements import Line, is_quotable, lines
from retrieval.passage import GENERAL, Passage
from zol.text import words

#: The form under which words are compared, such as their stem.
Stem: TypeAlias = Callable[[str], str]
#: How much each word of a question says, by the names it goes by.
Weights: TypeAlias = Mapping[frozenset[str], float]

#: What a word of the question counts when it stands only in the title or heading above.
BESIDE = 0.6
#: A statement must cover this share of the question's weight to be quoted at all.
LEAST_COVER = 0.34
#: Further statements must come this near to the best.
NEAR_BEST = 0.6
MOST_STATEMENTS = 4
MOST_PAGES = 2
MOST_LETTERS = 700
#: A statement with figures answers better when figures were asked for.
FIGURES = 1.25


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or row, with where it stands."""

    text: str
    passage: Passage
    place: int
    terms: frozenset[str]
    beside: frozenset[str]
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """Statements of one passage that are quoted together, in reading order."""

    passage: Passage
    statements: tuple[Statement, ...]
    #: Share of the question's weight that the best of them covers, from 0 to 1.
    cover: float

    @property
    def text(self) -> str:
        return " ".join(statement.text for statement in self.statements)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a quotation should contain."""

    #: Each is a set of words of which one suffices: names of one thing.
    terms: tuple[frozenset[str], ...]
    #: The subject that dominates; passages of another subject are not quoted beside it.
    category: str = GENERAL
    #: Statements with figures answer: what it costs, when it is open.
    figures: bool = False
    least_cover: float = LEAST_COVER


def choose(
    passages: Sequence[Passage], wanted: Wanted, stem: Stem, others: Sequence[Passage] = ()
) -> tuple[Quote, ...]:
    """Return the quotations that best answer, best page first; none when nothing does.

    `others` are found but not quoted: they only tell which words are common.
    """
    asked = tuple(dict.fromkeys(frozenset(map(stem, names)) for names in wanted.terms))
    pool = [s for p in passages if suits(p, wanted.category) for s in cut(p, stem)]
    if not pool or not asked:
        return ()
    weight = rarity(asked, [*pool, *(s for p in others for s in cut(p, stem))])
    scored = sorted(((score(s, weight, wanted), s) for s in pool), key=lambda pair: -pair[0])
    best = scored[0][0]
    if cover(scored[0][1], weight) < wanted.least_cover:
        return ()
    near = [s for value, s in scored if value >= best * NEAR_BEST]
    return tuple(gathered(near, weight))


def suits(passage: Passage, category: str) -> bool:
    """Whether a passage may be quoted under the dominant subject (the prompt guard, as code)."""
    return GENERAL in (category, passage.category) or (
        passage.category == category or passage.affinity >= 1.0
    )


def cut(passage: Passage, stem: Stem) -> Iterator[Statement]:
    """Yield the quotable statements of a passage."""
    above = f"{passage.source.title} {passage.section}"
    for place, (line, terms, beside) in enumerate(_cut(passage.text, above, stem)):
        yield Statement(line.text, passage, place, terms, beside, line.is_row)


@lru_cache(maxsize=4_096)
def _cut(
    text: str, above: str, stem: Stem
) -> tuple[tuple[Line, frozenset[str], frozenset[str]], ...]:
    """Cut a text once: passages come back question after question."""
    title = frozenset(map(stem, words(above)))
    return tuple(
        (line, frozenset(map(stem, words(line.text))), title | set(map(stem, words(line.above))))
        for line in lines(text)
        if is_quotable(line)
    )


def rarity(asked: Iterable[frozenset[str]], pool: Sequence[Statement]) -> Weights:
    """Return how much each word of the question says among these statements."""
    said = [s.terms | s.beside for s in pool]
    return {
        names: log(1 + len(pool) / (1 + sum(not names.isdisjoint(terms) for terms in said)))
        for names in asked
    }


def cover(statement: Statement, weight: Weights) -> float:
    """Return the share of the question's weight that a statement covers, with what is above it."""
    found = 0.0
    for names, worth in weight.items():
        if not names.isdisjoint(statement.terms):
            found += worth
        elif not names.isdisjoint(statement.beside):
            found += BESIDE * worth
    return found / (sum(weight.values()) or 1.0)


def score(statement: Statement, weight: Weights, wanted: Wanted) -> float:
    answers = wanted.figures and any(letter.isdigit() for letter in statement.text)
    standing = sqrt(max(statement.passage.weight, 0.01))
    return cover(statement, weight) * (FIGURES if answers else 1.0) * standing


def gathered(near: Sequence[Statement], weight: Weights) -> Iterator[Quote]:
    """Put statements of one passage together, within what can be read at a glance."""
    chosen: dict[int, list[Statement]] = {}
    for statement in near:
        if sum(map(len, chosen.values())) >= MOST_STATEMENTS:
            break
        if fits(statement, [s for group in chosen.values() for s in group]):
            chosen.setdefault(statement.passage.chunk_id, []).append(statement)
    for group in chosen.values():
        ordered = tuple(sorted(group, key=lambda s: s.place))
        yield Quote(group[0].passage, ordered, max(cover(s, weight) for s in group))


def fits(statement: Statement, chosen: Sequence[Statement]) -> bool:
    """Whether a statement may join: not said yet, not too long together, not of a third page."""
    if not chosen:
        return True
    pages = {s.passage.source.document_id for s in chosen}
    letters = sum(len(s.text) for s in chosen) + len(statement.text)
    is_page_known = statement.passage.source.document_id in pages
    return (
        letters <= MOST_LETTERS
        and (is_page_known or len(pages) < MOST_PAGES)
        and all(statement.text != s.text for s in chosen)
    )


def texts(quotes: Iterable[Quote]) -> list[str]:
    return [statement.text for quote in quotes for statement in quote.statements]
