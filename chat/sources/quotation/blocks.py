"""What is quoted around a statement: its whole section when it is short, else what stands next to
it; a table or list whole, over the borders of its passages, or with how much of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby
from math import inf
from typing import NamedTuple, TypeAlias

from chat.channels.document_viewer import overlap
from chat.sources.quotation.scores import (
    Quote,
    QuoteRequest,
    Reading,
    Statement,
    counted,
    place_of,
    there,
)
from retrieval.fields import HEADING
from retrieval.passage import Passage
from retrieval.statements import CELL, Form, Line, is_quotable, lines

#: The passages right before and after each of some passages, by its chunk.
Beside: TypeAlias = Callable[[Sequence[Passage]], Mapping[int, Sequence[Passage]]]
Part: TypeAlias = tuple[Statement, ...]
#: The place of a statement that says nothing by itself.
NO_PLACE = -1
#: Passages over which one table or list is followed to each side.
FURTHEST = 20
#: Letters of a section that is quoted whole, and up to which one reads on in a longer one.
WHOLE, READS_ON = 480, 360
#: Letters of a table or list up to which it is never parted: a schedule, doses, prices.
WHOLE_TABLE = 1_500
#: How far behind the best row another row of a long table may be.
SAME_TABLE = 2.5


def whole_of(statement: Statement, beside: Beside) -> Part:
    """Return all rows of a statement's table, or all sentences of its list, in reading order, each
    with its own passage and place; only the statement itself where it stands in neither."""
    form = statement.line.form
    if form is Form.SENTENCE:
        return (statement,)
    if form is Form.ITEM:
        return _list_with(statement, beside)
    part = _part_with(statement, parts_of(statement.passage)) or (statement,)
    return (*_rows(part, beside, -1), *part, *_rows(part, beside, +1))


def parts_of(passage: Passage) -> list[Part]:
    """Return the statements of a passage by paragraph, table and list."""
    found: list[Statement] = []
    place = 0
    for line in lines(passage.text, passage.placed):
        found.append(Statement(line, passage, place if is_quotable(line) else NO_PLACE))
        place += is_quotable(line)
    return [tuple(group) for _, group in groupby(found, key=_kin)]


def _kin(statement: Statement) -> tuple[object, ...]:
    line = statement.line
    return line.form, line.run, line.lead, line.heading


def _part_with(wanted: Statement, parts: Sequence[Part]) -> Part | None:
    """Return the table or list that holds a statement: at its place, else with its words."""

    def is_it(each: Statement) -> bool:
        return each.text == wanted.text and each.line.form is wanted.line.form

    holding = [part for part in parts if any(map(is_it, part))]
    line = wanted.line
    holding.sort(key=lambda part: (part[0].line.above, part[0].line.run) != (line.above, line.run))
    holding.sort(key=lambda part: all(each.place != wanted.place for each in part if is_it(each)))
    return holding[0] if holding else None


def _rows(part: Part, beside: Beside, step: int) -> Part:
    """Return the rows of a table in the passages before (-1) or after (+1) its own."""
    found: list[Part] = []
    here = part[0].passage
    parts = parts_of(here)
    edge = 0 if step < 0 else -1
    while len(found) < FURTHEST and parts and parts[edge] == part:
        further = _next(here, beside, step)
        if further is None:
            break
        here, parts = further, parts_of(further)
        there = parts[-1 if step < 0 else 0] if parts else ()
        is_cut = step > 0 and here.text.startswith(HEADING)
        if is_cut or not there or there[0].line.form is not Form.ROW:
            break
        if not _is_same_table(there[0].line, part[0].line):
            break
        found.append(there)
        part = there
    ordered = reversed(found) if step < 0 else found
    return tuple(row for each in ordered for row in each)


def _is_same_table(one: Line, other: Line) -> bool:
    return replace(one.place, row="", scope=()) == replace(other.place, row="", scope=())


def _list_with(wanted: Statement, beside: Beside) -> Part:
    """Return the list of an item, over the borders of its passages as far as it reaches."""
    whole, passages = wanted.passage, [wanted.passage]
    for step in (-1, +1):
        here = wanted.passage
        for _ in range(FURTHEST):
            further = _next(here, beside, step) if _reaches(whole, wanted, step) else None
            if further is None:
                break
            whole = joined(further, whole) if step < 0 else joined(whole, further)
            passages.append(further)
            here = further
    part = _part_with(wanted, parts_of(whole)) or (wanted,)
    return tuple(_at_home(part, passages)) if len(passages) > 1 else part


def _at_home(part: Part, passages: Iterable[Passage]) -> Iterator[Statement]:
    """Yield the items of a list that was read over several passages, each where it stands."""
    homes: dict[int, Statement] = {}
    texts = [each.text for each in part]
    for passage in passages:
        own = [each for one in parts_of(passage) for each in one]
        same = SequenceMatcher(None, [each.text for each in own], texts, autojunk=False)
        for a, b, size in same.get_matching_blocks():
            for n in range(size):
                homes.setdefault(b + n, own[a + n])
    for number, each in enumerate(part):
        home = homes.get(number, each._replace(place=NO_PLACE))
        yield home._replace(line=each.line)


def _reaches(whole: Passage, wanted: Statement, step: int) -> bool:
    """Whether the list of an item may go on before or after a text."""
    parts = parts_of(whole)
    part = _part_with(wanted, parts)
    if part is None:
        return False
    if step > 0:
        return part == parts[-1]
    before = parts[: parts.index(part)]
    # The end of an item that was cut reads as a sentence.
    is_cut = whole.text.startswith(HEADING)
    return not is_cut and all(each[0].line.run == part[0].line.run for each in before)


def _next(passage: Passage, beside: Beside, step: int) -> Passage | None:
    """Return the passage before or after one, within its section."""
    near = beside([passage]).get(passage.chunk_id, ())
    return next(
        (
            each
            for each in near
            if each.ordinal == passage.ordinal + step and each.section == passage.section
        ),
        None,
    )


def joined(first: Passage, second: Passage) -> Passage:
    """Return two passages that follow each other as one, without what the second repeats."""
    rest = second.text[overlap(first.text, second.text) :]
    text = first.text + rest if rest[:1] in {" ", "\n"} else f"{first.text}\n{rest}"
    more = len(text.splitlines()) - len(first.placed)
    after = second.placed[len(second.placed) - more :]
    return first.changed(text=text, places=(*first.placed, *after))


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
    without: Collection[tuple[str, str]] = (),
) -> Quote:
    """Return the quotation around a statement, without sentences that were said already."""
    if best.statement.is_row:
        return table(best, ranked, reading)
    around = [
        each
        for each in ranked
        if is_beside(each.statement, best.statement)
        and said_in(each.statement) not in without
        and not is_cut_off(each.statement, best.statement, reading)
    ]
    around.sort(key=lambda each: each.statement.place)
    return with_whole_lists(reads_on(best, around), best, reading)


def said_in(statement: Statement) -> tuple[str, str]:
    """Return what a statement says: a row or item under what it stands, a sentence anywhere."""
    return statement.line.over if statement.is_row else "", statement.text


def is_cut_off(one: Statement, best: Statement, reading: Reading) -> bool:
    """Whether something that is not quoted stands between two statements of a passage."""
    first, last = sorted((one.place, best.place))
    chunk = best.passage.chunk_id
    return any((chunk, place) in reading.kept_out for place in range(first, last))


def table(best: Candidate, ranked: Sequence[Candidate], reading: Reading) -> Quote:
    """Return the table that a row stands in: whole, or of a long one those rows that answer."""
    every = whole_of(best.statement, reading.wanted.beside)
    whole = [each for each in every if may_be_shown(each, reading)]
    known = {place_of(each.statement): each for each in ranked if each.page == best.page}
    taken = rows(best, whole, known, reading)
    # The best row may be about another campus than the one that is quoted.
    sureties = (known[at].surety for at in map(place_of, taken) if at in known)
    sure = max(sureties, default=0.0)
    return Quote(best.statement.passage, tuple(taken), sure, tuple(whole), counted(every))


def may_be_shown(statement: Statement, reading: Reading) -> bool:
    """Whether a row or item may be quoted with the others of its table or list."""
    wanted = reading.wanted
    is_kept_out = place_of(statement) in reading.kept_out or wanted.is_dose(statement)
    return not is_kept_out and wanted.may_be_told(statement.text)


def is_beside(one: Statement, other: Statement) -> bool:
    """Whether two statements stand in one section of a passage, or in one table."""
    if one.passage.chunk_id != other.passage.chunk_id or one.line.heading != other.line.heading:
        return False
    return one.is_row == other.is_row and (not one.is_row or one.line.run == other.line.run)


def rows(
    best: Candidate,
    whole: Sequence[Statement],
    known: Mapping[tuple[int, int], Candidate],
    reading: Reading,
) -> Sequence[Statement]:
    """Return the rows to quote: those about the campus or the thing that is asked about; all of a
    table that can be read at once; of a long one, or of one that has a row for each department,
    doctor or campus, the best ones."""
    wanted = reading.wanted
    places = {each: there(each, wanted) for each in whole}
    if True in places.values():
        whole = [
            each
            for each in whole
            if places[each] is not False or wanted.names_asked(first_cell(each))
        ]
    letters = length(whole)
    if letters <= WHOLE or (letters <= WHOLE_TABLE and not has_one_each(whole, wanted)):
        return whole
    scores = {each: known[at].score for each in whole if (at := place_of(each)) in known}
    near = [each for each in whole if scores.get(each, -inf) >= best.score - SAME_TABLE]
    while length(near) > WHOLE and len(near) > 1:
        near.remove(min(near, key=lambda each: scores[each]))
    return near


def has_one_each(table: Sequence[Statement], wanted: QuoteRequest) -> bool:
    """Whether most rows of a table are about a department, doctor or campus each."""
    named = [wanted.names_one(each.text) for each in table]
    return sum(named) > len(named) / 2


def first_cell(row: Statement) -> str:
    return row.text.partition(CELL)[0]


def with_whole_lists(taken: Sequence[Candidate], best: Candidate, reading: Reading) -> Quote:
    """Return the quotation of a stretch of a section in which each list is whole.

    One that is too long for that is left out, unless the best statement stands in it.
    """
    said: list[Statement] = []
    whole: list[Statement] = []
    items = 0
    for key, group in groupby((each.statement for each in taken), key=list_of):
        stretch = list(group)
        if key is None:
            said += stretch
            continue
        every = whole_of(stretch[0], reading.wanted.beside)
        is_long = length(every) > WHOLE_TABLE
        if is_long and best.statement not in stretch:
            continue
        shown = [each for each in every if may_be_shown(each, reading)]
        said += stretch if is_long else shown
        whole += shown
        items += counted(every)
    return Quote(best.statement.passage, tuple(said), best.surety, tuple(whole), items)


def list_of(statement: Statement) -> tuple[int, str] | None:
    """Return what the items of one list have in common; None of a sentence."""
    line = statement.line
    return (line.run, line.lead) if line.form is Form.ITEM else None


def reads_on(best: Candidate, section: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return a short section whole; of a longer one, what stands next to the best statement."""
    if length(each.statement for each in section) <= WHOLE:
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
    letters = length(each.statement for each in section[first : last + 1])
    for place in (first - 1, last + 1):
        if 0 <= place < len(section) and letters + len(section[place].statement.text) <= READS_ON:
            yield place


def length(statements: Iterable[Statement]) -> int:
    return sum(len(each.text) for each in statements)
