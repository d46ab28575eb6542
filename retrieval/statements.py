"""Cutting a page's text into statements that can be quoted: sentences, list items and table rows.

The text is a chunk's: a line starting with ## is a heading (retrieval/ingestion/split.py), and
zol/text.py says which are rows of a table.

A question or a line that ends with a colon says nothing by itself, but what follows depends on it:
"Fever? Come at once." is one statement, and items keep the line over their list.

Ingestion keeps the vector of every statement by its place; answers are made of the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, zip_longest

from zol.text import cells_of, is_row, names_columns, squash

#: Part of the key of kept vectors: raise it when the same text is cut into other statements.
EDITION = 4
#: A full stop ends a sentence, unless it follows an initial or title, or a small letter follows it.
_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b[Dd]r\.)(?<!\b[Pp]rof\.)\s+(?=[^\sa-z])")
_MARK = re.compile(r"^\s*(?:[-*•·]|(\d+)[.)])\s+")
HEADING = "## "
#: How a sentence ends of which the sense is only complete with what follows.
OPEN = ("?", ":", "\u037e")
#: Shorter ones say nothing by themselves; an item is read in its list.
FEWEST_LETTERS, FEWEST_OF_ITEM = 12, 3


class Form(Enum):
    """How a statement stands on its page."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Line:
    """One statement, and the words above it that say what it is about."""

    text: str
    above: str = ""
    form: Form = Form.SENTENCE
    #: The heading right above, within the chunk.
    heading: str = ""
    #: Statements of one paragraph, list or table have one number.
    run: int = 0
    #: The question or the line with a colon right over its list, without which it is not said.
    lead: str = ""
    #: Of an item's first sentence: a dash, or its number and a full stop.
    mark: str = ""

    @property
    def is_row(self) -> bool:
        return self.form is Form.ROW


def quotable(text: str) -> tuple[Line, ...]:
    """Return the statements of a text that say something by themselves; a place counts these."""
    return tuple(filter(is_quotable, lines(text)))


def heading_of(line: Line, section: str) -> str:
    """Return what a statement stands under: the nearest heading, else the section's last part."""
    return (line.heading or section).rpartition("\u203a")[2].strip()


def lines(text: str) -> Iterator[Line]:
    """Yield the statements of a text in order."""
    heading, number = "", 0
    for in_table, found in groupby(filter(str.strip, text.splitlines()), key=is_row):
        number += 1
        if in_table:
            yield from _rows(list(found), heading, number)
            continue
        group = map(str.strip, found)
        for is_heading, part in groupby(group, key=lambda line: line.startswith(HEADING)):
            if not is_heading:
                yield from _prose(part, heading, number)
                continue
            for line in part:
                heading, number = line.removeprefix(HEADING), number + 1


def _prose(written: Iterable[str], heading: str, number: int) -> Iterator[Line]:
    """Yield the sentences and items of lines under one heading."""
    lead = ""
    for is_item, group in groupby(written, key=lambda line: bool(_MARK.match(line))):
        if is_item:
            above = f"{heading} {lead}".strip()
            for line in group:
                mark = shown_mark(_MARK.match(line))
                for said in _finished(_MARK.sub("", line)):
                    yield Line(said, above, Form.ITEM, heading, number, lead, mark)
                    mark = ""
            continue
        lead = ""
        for said in _finished("\n".join(group)):
            yield Line(said, heading, Form.SENTENCE, heading, number)
            lead = said if said.endswith(OPEN) else ""


def shown_mark(marked: re.Match[str] | None) -> str:
    """Return what an item is shown with: its number, else a dash."""
    return f"{marked[1]}." if marked and marked[1] else "-"


def _finished(text: str) -> Iterator[str]:
    """Yield sentences, each with the questions and the colon that it completes; what nothing
    completes stands alone at the end."""
    begun: list[str] = []
    for line in text.splitlines():
        for sentence in _END.split(line):
            begun.append(squash(sentence))
            if not begun[-1].endswith(OPEN):
                yield " ".join(begun)
                begun = []
    if begun:
        yield " ".join(begun)


def _rows(rows: list[str], heading: str, number: int) -> Iterator[Line]:
    """Yield the rows of a table, each cell with the name of its column."""
    names: tuple[str, ...] = cells_of(rows[0]) if heads(rows) else ()
    for row in rows[1:] if names else rows:
        if names_columns(row):
            names = cells_of(row)
            continue
        above = f"{heading} {' '.join(names)}".strip()
        yield Line(_row(names, cells_of(row)), above, Form.ROW, heading, number)


def heads(rows: list[str]) -> bool:
    """Whether a table's first row names its columns though it is not marked as such."""
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
    said = [_under(name, cell) for name, cell in named if cell]
    return " · ".join(filter(None, [first, *said]))


def _under(name: str, cell: str) -> str:
    """Return a cell with the name of its column, which may ask (";" in Greek): "Nuchter? ja"."""
    if not name:
        return cell
    return f"{name} {cell}" if name.endswith(("?", ";", ":")) else f"{name}: {cell}"


def is_quotable(line: Line) -> bool:
    """Whether a statement says something by itself: long enough, and no question or heading."""
    letters = sum(letter.isalnum() for letter in line.text)
    fewest = FEWEST_OF_ITEM if line.form is Form.ITEM else FEWEST_LETTERS
    is_whole = line.form is not Form.SENTENCE or line.text.endswith((".", "!", ")", "”"))
    return letters >= fewest and (is_whole or letters > 40) and not line.text.endswith(OPEN)
