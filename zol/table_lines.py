"""The rows of a table as lines of text, as they are stored, cut into statements and shown.

A line that begins with "|" names the columns of the rows below it. No row begins so: a first cell
without text is written as a dash, and a cell holds no "|".
"""

from __future__ import annotations

from collections.abc import Sequence

_BAR, _BETWEEN = "|", " | "
_NO_TEXT = "\u2013"


def written_row(cells: Sequence[str]) -> str:
    """Return the line of a row; it holds no more of empty cells at its end than their places."""
    first, *others = (cell.replace(_BAR, "/") for cell in cells)
    return _BETWEEN.join((first or _NO_TEXT, *others) if others else (first,))


def written_names(cells: Sequence[str]) -> str:
    """Return the line that names the columns of a table."""
    return f"{_BAR} {_BETWEEN.join(cell.replace(_BAR, '/') for cell in cells)}"


def is_row(line: str) -> bool:
    """Whether a line is a row of a table, or names its columns."""
    return line.startswith(_BAR) or f" {_BAR}" in line


def names_columns(line: str) -> bool:
    """Whether a line names the columns of the rows below it.

    One that begins with a space is a row of before no row could begin with a bar.
    """
    return line.startswith(_BAR)


def cells_of(line: str) -> tuple[str, ...]:
    """Return the cells of a row, or the names of the columns."""
    first, *others = (cell.strip() for cell in line.removeprefix(_BAR).split(_BAR))
    if names_columns(line) or not others:
        return (first, *others)
    return ("" if first == _NO_TEXT else first, *others)
