"""A table or a list as it stands on its page, over the borders of the passages it was cut into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from chat.engines.embedded.scoring import Statement
from chat.reading import overlap
from retrieval.passage import Passage
from retrieval.statements import HEADING, Form, Line, lines

#: The passages right before and after each of some passages, by its chunk.
Beside: TypeAlias = Callable[[Sequence[Passage]], Mapping[int, Sequence[Passage]]]
Part: TypeAlias = tuple[Line, ...]
#: Passages over which one table or list is followed to each side.
FURTHEST = 20


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
