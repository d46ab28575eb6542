"""Split a chunk's text into quotable statements: sentences, list items and table rows.

A line starting with ## is a heading (retrieval/ingestion/split.py); zol/text.py recognises table
rows. A question, or a line ending with a colon, is part of the statement after it ("Fever? Come at
once."), and list items keep the line above their list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby, zip_longest
from typing import TypeAlias

from retrieval.fields import HEADING, PATH, Place, paired, under, unpacked
from zol.text import cells_of, is_row, names_columns, squash

#: A full stop ends a sentence, except after an initial or title, or before a small letter, a colon
#: or a telephone number: "Tél. : 02 61 91 10 40". Approved translations are counted by these
#: sentences: another split would lose them.
_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b[Dd]r\.)(?<!\b[Pp]rof\.)\s+(?=[^\sa-z:])"
    r"(?!\+?\(?\d[\d ./()-]{6,}\d)"
)
_MARK = re.compile(r"^\s*(?:[-*•·]|(\d+)[.)])\s+")
#: Separator of a row's cells.
CELL = " \u00b7 "
#: Endings of a sentence that belongs to the next one.
OPEN = ("?", ":", "\u037e")
#: Fewest letters of a statement and of a list item.
FEWEST_LETTERS, FEWEST_OF_ITEM = 12, 3


class Form(Enum):
    """The form of a statement on its page."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Line:
    """One statement, with its headings and openers."""

    text: str
    form: Form = Form.SENTENCE
    #: The headings above; without stored places, the one right above in the text.
    heading: str = ""
    #: The question or colon line over its list, always quoted with it.
    lead: str = ""
    #: Of an item's first sentence: a dash, or its number and a full stop.
    mark: str = ""
    place: Place = Place()
    #: (column name, cell) of each non-empty cell of a row.
    cells: tuple[tuple[str, str], ...] = ()

    @property
    def leads(self) -> tuple[str, ...]:
        """The lines that open its list and the lists around it, outermost first."""
        return self.place.lead or ((self.lead,) if self.lead else ())


def quotable(text: str) -> tuple[Line, ...]:
    """Return the statements of a text that can be quoted alone."""
    return tuple(filter(is_quotable, lines(text)))


def heading_of(line: Line, section: str) -> str:
    """Return a statement's heading: the nearest one, else the section's last part."""
    return (line.heading or section).rpartition("\u203a")[2].strip()


#: A line of a text and its place.
Placed: TypeAlias = tuple[str, Place]


def lines(text: str, places: Sequence[Place] = ()) -> Iterator[Line]:
    """Yield the statements of a text in order; without places, derive these from the text."""
    placed = zip(text.splitlines(), places or unpacked(text, "", None), strict=True)
    filled = ((line, place) for line, place in placed if line.strip())
    for in_table, found in groupby(filled, key=lambda pair: is_row(pair[0])):
        if in_table:
            yield from _rows(list(found))
            continue
        group = ((line.strip(), place) for line, place in found)
        for is_heading, part in groupby(group, key=lambda pair: pair[0].startswith(HEADING)):
            if not is_heading:
                yield from _prose(part)


def _prose(written: Iterable[Placed]) -> Iterator[Line]:
    """Yield the sentences and items of lines under one heading."""
    lead = ""
    for is_item, group in groupby(written, key=lambda pair: bool(_MARK.match(pair[0]))):
        if is_item:
            for line, place in group:
                mark, opened = shown_mark(_MARK.match(line)), (*place.lead, lead)[0]
                for text, _ in _finished([(_MARK.sub("", line), place)]):
                    yield Line(text, Form.ITEM, PATH.join(place.path), opened, mark, place)
                    mark = ""
            continue
        lead = ""
        for text, place in _finished(group):
            cells = tuple(paired(place, (text,))) if place.row else ()
            yield Line(text, heading=PATH.join(place.path), place=place, cells=cells)
            lead = text if text.endswith(OPEN) else ""


def shown_mark(marked: re.Match[str] | None) -> str:
    """Return the mark of an item: its number, else a dash."""
    return f"{marked[1]}." if marked and marked[1] else "-"


def _finished(written: Iterable[Placed]) -> Iterator[Placed]:
    """Yield sentences, each joined with the questions or colon line before it; an incomplete one at
    the end comes alone."""
    begun: list[str] = []
    place = Place()
    for line, here in written:
        for sentence in _END.split(line):
            place = place if begun else here
            begun.append(squash(sentence))
            if not begun[-1].endswith(OPEN):
                yield " ".join(begun), place
                begun = []
    if begun:
        yield " ".join(begun), place


def _rows(rows: list[Placed]) -> Iterator[Line]:
    """Yield the rows of a table, each cell with its column name."""
    names: tuple[str, ...] = ()
    if first_names([line for line, _ in rows]):
        names, rows = cells_of(rows[0][0]), rows[1:]
    for line, place in rows:
        cells = cells_of(line)
        if names_columns(line):
            names = cells
            continue
        named = place if place.heads else replace(place, heads=names)
        pairs, heading = tuple(paired(named, cells)), PATH.join(place.path)
        yield Line(_row(names, cells), Form.ROW, heading, place=place, cells=pairs)


def first_names(rows: list[str]) -> bool:
    """Return whether a table's unmarked first row holds column names."""
    first, *others = map(cells_of, rows)
    return (
        len(others) > 1
        and not any(map(names_columns, rows))
        and len(first) > 2
        and all(len(cells) == len(first) for cells in others)
        and not any(letter.isdigit() for cell in first for letter in cell)
        and any(letter.isdigit() for cells in others for cell in cells for letter in cell)
    )


def _row(names: Sequence[str], cells: Sequence[str]) -> str:
    first, *others = cells
    named = zip_longest(names[1:], others, fillvalue="")
    named_cells = [under(name, cell) for name, cell in named if cell]
    return CELL.join(filter(None, [first, *named_cells]))


def is_quotable(line: Line) -> bool:
    """Return whether a statement can be quoted alone: long enough, no question, no heading."""
    letters = sum(letter.isalnum() for letter in line.text)
    fewest = FEWEST_OF_ITEM if line.form is Form.ITEM else FEWEST_LETTERS
    is_whole = line.form is not Form.SENTENCE or line.text.endswith((".", "!", ")", "”"))
    return letters >= fewest and (is_whole or letters > 40) and not line.text.endswith(OPEN)
