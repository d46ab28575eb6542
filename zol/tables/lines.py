"""Lines of a table as a spreadsheet shows them, and doubts about their cells for the preview."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import NamedTuple

#: What may stand between cells.
DELIMITERS = (",", ";", "\t")
#: What Excel reads, and does not show: which mark stands between the cells.
_SEP = re.compile(r'"?sep=(.)"?\r?(?:\n|$)', re.IGNORECASE)
#: Only \n and \r\n end a line; what else may is part of a cell.
_QUOTED = re.compile(r'"[^"]*"')
_LONE_RETURN = re.compile(r"\r(?!\n)")
_MARKS = (b"\xff\xfe", b"\xfe\xff")


class NotText(ValueError):
    """Bytes that are no text of any known writing."""


class UnreadableLine(ValueError):
    """A line with quotes that do not match; `line` is its place in the file."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class TableLine(NamedTuple):
    #: As a spreadsheet numbers it.
    number: int
    #: Where it begins in the file, which cells of more than one line make later.
    line: int
    cells: list[str]


def decoded(data: bytes) -> tuple[str, bool]:
    """Return a text, and whether its writing was guessed: Western Europe's, for want of a mark."""
    try:
        if data[:2] in _MARKS:
            return data.decode("utf-16"), False
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\x00" in data:
            raise NotText from None
        try:
            return data.decode("cp1252"), True
        except UnicodeDecodeError:
            raise NotText from None
    if "\x00" in text:
        raise NotText
    return text, False


def lines_of(text: str, known: Collection[str] = ()) -> Iterator[TableLine]:
    """Yield the lines of a text, empty ones too; `known` are names that columns may have."""
    skipped = 0
    if mark := _SEP.match(text):
        text, skipped = text[mark.end() :], 1
    if "\n" not in text:  # As a Mac wrote it long ago.
        text = text.replace("\r", "\n")
    text = _LONE_RETURN.sub(" ", text)
    delimiter = mark[1] if mark else _delimiter(text, known)
    reader = csv.reader(io.StringIO(text, newline="\n"), strict=True, delimiter=delimiter)
    start = 1
    try:
        for number, cells in enumerate(reader, start=1):
            yield TableLine(number, skipped + start, cells)
            start = reader.line_num + 1
    except csv.Error as error:
        raise UnreadableLine(skipped + start, str(error)) from error


def _delimiter(text: str, known: Collection[str]) -> str:
    """Return what stands between cells: a spreadsheet writes ";" where the comma is decimal."""
    header = text.lstrip().partition("\n")[0][: csv.field_size_limit()]
    bare = _QUOTED.sub("", header)

    def told(mark: str) -> tuple[int, int]:
        cells = next(csv.reader([header], delimiter=mark), [])
        named = {" ".join(cell.split()).lower() for cell in cells}
        return len(named.intersection(known)), bare.count(mark)

    return max(DELIMITERS, key=told)


class Weight(StrEnum):
    """How serious a finding about a line is."""

    #: Said, and read all the same.
    SAID = "said"
    #: Said; the field stays as it is.
    LEFT = "left"
    #: A mistake, unless its column holds dates.
    DATE = "date"
    #: A mistake: nothing of the file is taken over.
    WRONG = "wrong"


class CellDoubt(NamedTuple):
    """A doubt by the number of its column, from 1; 0 is the row or the sheet as a whole."""

    row: int
    column: int
    sentence: str
    weight: Weight


class Doubt(NamedTuple):
    """A doubt by the name of its column; none for the row as a whole."""

    row: int
    column: str
    sentence: str
    weight: Weight
