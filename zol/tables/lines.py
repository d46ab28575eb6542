"""Lines of a table as a spreadsheet shows them, and doubts about cells for the preview."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import NamedTuple

#: Possible delimiters.
DELIMITERS = (",", ";", "\t")
#: Excel's first line that names the delimiter.
_SEP = re.compile(r'"?sep=(.)"?\r?(?:\n|$)', re.IGNORECASE)
#: Only \n and \r\n end a line; a lone \r is part of a cell.
_QUOTED = re.compile(r'"[^"]*"')
_LONE_RETURN = re.compile(r"\r(?!\n)")
_MARKS = (b"\xff\xfe", b"\xfe\xff")


class NotText(ValueError):
    """Bytes that are no text in a known encoding."""


class UnreadableLine(ValueError):
    """A line with unmatched quotes; `line` is its number in the file."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class TableLine(NamedTuple):
    #: Row number in a spreadsheet.
    number: int
    #: Line number in the file, which is larger after cells of several lines.
    line: int
    cells: list[str]


def decoded(data: bytes) -> tuple[str, bool]:
    """Return the text, and whether its encoding was guessed as that of Western Europe."""
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
    """Yield the lines of a text, empty ones too; `known` are possible column names."""
    skipped = 0
    if mark := _SEP.match(text):
        text, skipped = text[mark.end() :], 1
    if "\n" not in text:  # Line ends of old Macs.
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
    """Return the delimiter: spreadsheets write ";" where the decimal separator is a comma."""
    header = text.lstrip().partition("\n")[0][: csv.field_size_limit()]
    bare = _QUOTED.sub("", header)

    def score(mark: str) -> tuple[int, int]:
        cells = next(csv.reader([header], delimiter=mark), [])
        named = {" ".join(cell.split()).lower() for cell in cells}
        return len(named.intersection(known)), bare.count(mark)

    return max(DELIMITERS, key=score)


class Weight(StrEnum):
    """How serious a finding about a line is."""

    #: Reported; the cell is read.
    REPORTED = "reported"
    #: Reported; the field stays as it is.
    LEFT = "left"
    #: A mistake, unless its column holds dates.
    DATE = "date"
    #: A mistake: nothing of the file is imported.
    WRONG = "wrong"


class CellDoubt(NamedTuple):
    """A doubt about a column number, from 1; 0 is the whole row or sheet."""

    row: int
    column: int
    sentence: str
    weight: Weight


class Doubt(NamedTuple):
    """A doubt about a named column; an empty name is the whole row."""

    row: int
    column: str
    sentence: str
    weight: Weight
