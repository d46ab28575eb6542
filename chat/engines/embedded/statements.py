"""Cutting a page's text into statements that can be quoted: sentences, list items and table rows.

The text is a chunk's: a line starting with ## is a heading, one with | is a row of a table, and one
that starts with | names the columns of the rows below it (retrieval/ingestion/split.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, zip_longest

from zol.text import squash

#: A full stop ends a sentence, unless it follows an initial or title, or a small letter follows it.
_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b[Dd]r\.)(?<!\b[Pp]rof\.)\s+(?=[^\sa-z])")
_MARK = re.compile(r"^\s*(?:[-*•·]|\d+[.)])\s+")
HEADING = "## "
#: Shorter ones say nothing by themselves.
FEWEST_LETTERS = 12


@dataclass(frozen=True, slots=True)
class Line:
    """One statement, and the words above it that say what it is about."""

    text: str
    above: str = ""
    is_row: bool = False


def lines(text: str) -> Iterator[Line]:
    """Yield the statements of a text in order."""
    heading = ""
    stripped = (line.strip() for line in text.splitlines())
    for is_row, run in groupby(filter(None, stripped), key=lambda line: "|" in line):
        if is_row:
            yield from _rows(list(run), heading)
            continue
        for line in run:
            if line.startswith(HEADING):
                heading = line.removeprefix(HEADING)
                continue
            for sentence in _END.split(_MARK.sub("", line)):
                yield Line(squash(sentence), heading)


def _rows(rows: list[str], heading: str) -> Iterator[Line]:
    """Yield the rows of a table, each cell with the name of its column."""
    names: list[str] = []
    for row in rows:
        if row.startswith("|"):
            names = _cells(row)
            continue
        above = f"{heading} {' '.join(names)}".strip()
        yield Line(_row(names, _cells(row)), above, is_row=True)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.removeprefix("|").split("|")]


def _row(names: list[str], cells: list[str]) -> str:
    first, *others = cells
    named = zip_longest(names[1:], others, fillvalue="")
    said = [f"{name}: {cell}" if name else cell for name, cell in named if cell]
    return " · ".join(filter(None, [first, *said]))


def is_quotable(line: Line) -> bool:
    """Whether a statement says something by itself: long enough, and no question or heading."""
    letters = sum(letter.isalnum() for letter in line.text)
    whole = line.is_row or line.text.endswith((".", "!", ")", "”")) or letters > 40
    return letters >= FEWEST_LETTERS and whole and not line.text.endswith(("?", ":"))
