"""What is quoted around a statement: its whole section when it is short, the rows of its table
that the question is about, or what stands next to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from chat.engines.embedded.scoring import Quote, Reading, Statement, there

#: Letters of a section or table that is quoted whole, and up to which one reads on in a longer one.
WHOLE, READS_ON = 480, 360
#: How far behind the best row another row of a long table may be.
SAME_TABLE = 2.5


class Candidate(NamedTuple):
    """A statement, and how well it answers."""

    statement: Statement
    #: Its odds against the others, to the base e.
    score: float
    #: How likely it is to answer, from 0 to 1.
    surety: float

    @property
    def page(self) -> int:
        return self.statement.passage.source.document_id


def block_of(
    best: Candidate,
    ranked: Sequence[Candidate],
    reading: Reading,
    *,
    without: Collection[str] = (),
) -> Quote:
    """Return the quotation around a statement, without what was said already."""
    around = [
        each
        for each in ranked
        if is_beside(each.statement, best.statement) and each.statement.text not in without
    ]
    around.sort(key=lambda each: each.statement.place)
    if not best.statement.is_row:
        return quote_of(reads_on(best, around), best.surety)
    taken = rows(best, around, reading)
    # The best row may be about another campus than the one that is quoted.
    return quote_of(taken, max(each.surety for each in taken))


def quote_of(taken: Sequence[Candidate], surety: float) -> Quote:
    statements = tuple(each.statement for each in taken)
    return Quote(statements[0].passage, statements, surety)


def is_beside(one: Statement, other: Statement) -> bool:
    """Whether two statements stand in one section of a passage, or in one table."""
    if one.passage.chunk_id != other.passage.chunk_id or one.line.heading != other.line.heading:
        return False
    return one.is_row == other.is_row and (not one.is_row or one.line.run == other.line.run)


def rows(best: Candidate, table: Sequence[Candidate], reading: Reading) -> Sequence[Candidate]:
    """Return the rows to quote: those about the campus that is asked about; all of a short table;
    the best ones of a long one."""
    places = {each: there(each.statement, reading.wanted) for each in table}
    if True in places.values():
        table = [each for each in table if places[each] is not False]
    if length(table) <= WHOLE:
        return table
    near = [each for each in table if each.score >= best.score - SAME_TABLE]
    while length(near) > WHOLE and len(near) > 1:
        near.remove(min(near, key=lambda each: each.score))
    return near


def reads_on(best: Candidate, section: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return a short section whole; of a longer one, what stands next to the best statement."""
    if length(section) <= WHOLE:
        return section
    first = last = section.index(best)
    while True:
        sides = list(_sides(section, first, last))
        if not sides:
            return section[first : last + 1]
        side = max(sides, key=lambda place: section[place].score)
        first, last = min(first, side), max(last, side)


def _sides(section: Sequence[Candidate], first: int, last: int) -> Iterator[int]:
    """Yield the places before and after a stretch that may still be taken into it."""
    letters = length(section[first : last + 1])
    for place in (first - 1, last + 1):
        if 0 <= place < len(section) and letters + len(section[place].statement.text) <= READS_ON:
            yield place


def length(candidates: Sequence[Candidate]) -> int:
    return sum(len(each.statement.text) for each in candidates)
