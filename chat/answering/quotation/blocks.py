"""What is quoted around a statement: its whole section when it is short, else what stands next to
it; a table or list whole, over the borders of its passages, or with how much of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf
from typing import NamedTuple, TypeAlias

from chat.answering.quotation.scores import Quote, QuoteRequest, Reading, Statement, counted, there
from chat.channels.document_viewer import overlap
from retrieval.passage import Passage
from retrieval.statements import HEADING, Form, Line, lines

#: The passages right before and after each of some passages, by its chunk.
Beside: TypeAlias = Callable[[Sequence[Passage]], Mapping[int, Sequence[Passage]]]
Part: TypeAlias = tuple[Line, ...]
#: Passages over which one table or list is followed to each side.
FURTHEST = 20
#: Letters of a section that is quoted whole, and up to which one reads on in a longer one.
WHOLE, READS_ON = 480, 360
#: Letters of a table or list up to which it is never parted: a schedule, doses, prices.
WHOLE_TABLE = 1_500
#: What stands between the cells of a row.
CELL = " \u00b7 "
#: How far behind the best row another row of a long table may be.
SAME_TABLE = 2.5


def whole_of(statement: Statement, beside: Beside) -> tuple[Statement, ...]:
    """Return all rows of a statement's table, or all sentences of its list, in reading order; only
    the statement itself where it stands in neither."""
    passage, wanted = statement.passage, statement.line
    if wanted.form is Form.SENTENCE:
        return (statement,)
    text = passage.text
    if wanted.form is Form.ITEM:
        text = _section(passage, text, wanted, beside)
    part = _part_with(wanted, text) or (wanted,)
    if wanted.form is Form.ROW:
        part = (*_rows(passage, part, beside, -1), *part, *_rows(passage, part, beside, +1))
    return tuple(Statement(line, passage, place) for place, line in enumerate(part))


def parts_of(text: str) -> list[Part]:
    """Return the lines of a text by paragraph, table and list."""
    return [tuple(group) for _, group in groupby(lines(text), key=_kin)]


def _kin(line: Line) -> tuple[object, ...]:
    return line.form, line.run, line.lead


def _part_with(wanted: Line, text: str) -> Part | None:
    """Return the table or list that holds a line: of several, the one under the same words."""
    holding = [p for p in parts_of(text) if any(_is_same(each, wanted) for each in p)]
    holding.sort(key=lambda part: (part[0].above, part[0].run) != (wanted.above, wanted.run))
    return holding[0] if holding else None


def _is_same(one: Line, other: Line) -> bool:
    return one.text == other.text and one.form is other.form


def _rows(passage: Passage, part: Part, beside: Beside, step: int) -> Part:
    """Return the rows of a table in the passages before (-1) or after (+1) its own."""
    found: list[Part] = []
    here = passage
    parts = parts_of(here.text)
    edge = 0 if step < 0 else -1
    while len(found) < FURTHEST and parts and _is_of(parts[edge], part):
        further = _next(here, beside, step)
        if further is None:
            break
        here, parts = further, parts_of(further.text)
        there = parts[-1 if step < 0 else 0] if parts else ()
        is_cut = step > 0 and here.text.startswith(HEADING)
        if is_cut or not there or there[0].form is not Form.ROW or not _same_columns(there, part):
            break
        found.append(there)
        part = there
    ordered = reversed(found) if step < 0 else found
    return tuple(line for each in ordered for line in each)


def _is_of(part: Part, table: Part) -> bool:
    return part[0].form is Form.ROW and part[0].text == table[0].text


def _same_columns(one: Part, other: Part) -> bool:
    """Whether two parts of a table may be of one: a heading in between is told by its words."""
    return not one[0].heading or one[0].heading == other[0].heading


def _section(passage: Passage, text: str, wanted: Line, beside: Beside) -> str:
    """Return the text of a passage, with what stands around it in its section as far as its list
    reaches."""
    for step in (-1, +1):
        here = passage
        for _ in range(FURTHEST):
            if not _reaches(text, wanted, step):
                break
            further = _next(here, beside, step)
            if further is None:
                break
            text = joined(further.text, text) if step < 0 else joined(text, further.text)
            here = further
    return text


def _reaches(text: str, wanted: Line, step: int) -> bool:
    """Whether the list of a line may go on before or after a text."""
    part, parts = _part_with(wanted, text), parts_of(text)
    if part is None:
        return False
    if step > 0:
        return part == parts[-1]
    before = parts[: parts.index(part)]
    # The end of an item that was cut reads as a sentence.
    return not text.startswith(HEADING) and all(p[0].run == part[0].run for p in before)


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


def joined(first: str, second: str) -> str:
    """Return two texts that follow each other, without what the second repeats of the first."""
    rest = second[overlap(first, second) :]
    return first + rest if rest[:1] in {" ", "\n"} else f"{first}\n{rest}"


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
    best: Candidate, ranked: Sequence[Candidate], reading: Reading, *, without: Collection[str] = ()
) -> Quote:
    """Return the quotation around a statement, without sentences that were said already."""
    if best.statement.is_row:
        return table(best, ranked, reading)
    around = [
        each
        for each in ranked
        if is_beside(each.statement, best.statement)
        and each.statement.text not in without
        and not is_cut_off(each.statement, best.statement, reading)
    ]
    around.sort(key=lambda each: each.statement.place)
    return with_whole_lists(reads_on(best, around), best, reading)


def is_cut_off(one: Statement, best: Statement, reading: Reading) -> bool:
    """Whether something that is not quoted stands between two statements of a passage."""
    first, last = sorted((one.place, best.place))
    chunk = best.passage.chunk_id
    return any((chunk, place) in reading.kept_out for place in range(first, last))


def table(best: Candidate, ranked: Sequence[Candidate], reading: Reading) -> Quote:
    """Return the table that a row stands in: whole, or of a long one those rows that answer."""
    every = whole_of(best.statement, reading.wanted.beside)
    whole = [each for each in every if may_be_shown(each, reading)]
    known = {each.statement.text: each for each in ranked if each.page == best.page}
    taken = rows(best, whole, known, reading)
    # The best row may be about another campus than the one that is quoted.
    sure = max((known[each.text].surety for each in taken if each.text in known), default=0.0)
    return Quote(best.statement.passage, tuple(taken), sure, tuple(whole), counted(every))


def may_be_shown(statement: Statement, reading: Reading) -> bool:
    """Whether a row or item may be quoted with the others of its table or list."""
    wanted = reading.wanted
    is_kept_out = statement.text in reading.kept_out.values() or wanted.is_dose(statement)
    return not is_kept_out and wanted.may_be_told(statement.text)


def is_beside(one: Statement, other: Statement) -> bool:
    """Whether two statements stand in one section of a passage, or in one table."""
    if one.passage.chunk_id != other.passage.chunk_id or one.line.heading != other.line.heading:
        return False
    return one.is_row == other.is_row and (not one.is_row or one.line.run == other.line.run)


def rows(
    best: Candidate, whole: Sequence[Statement], known: Mapping[str, Candidate], reading: Reading
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
    scores = {each: known[each.text].score for each in whole if each.text in known}
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
