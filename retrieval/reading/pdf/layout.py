"""Reading order of a PDF page: horizontal bands from the top, and the columns within each.

In columns of text, sentences continue on the next line; in a table without ruled lines they do not.
In doubt, rows stay rows: hours beside the wrong day are worse than a sentence cut in two.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.reading.grid import GridCell
from retrieval.reading.pdf.lines import Line, joined

#: Gap that begins a paragraph, as a share of line height.
GAP = 0.7
#: Least share and number of continued lines in running text.
FLOWING, FEWEST = 0.3, 2
#: Least share of a table column's lines with a neighbour.
BESIDE = 0.6
#: Most rows whose gaps may be aligned by chance, and tolerance of equal letter sizes.
RIVER, SAME_SIZE = 3, 0.5
#: Least size of a heading relative to the line above.
LARGER = 1.15
#: Least gap between columns, in letter sizes.
BETWEEN = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """A framed box of text."""

    x0: float
    top: float
    x1: float
    bottom: float
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True, eq=False)
class PageTable:
    """A table with lines around its cells."""

    x0: float
    top: float
    x1: float
    bottom: float
    rows: Sequence[Sequence[GridCell]]
    page: int
    #: Number of header rows, and whether their style differs.
    names: int
    is_sure: bool
    #: Number of likely header rows if no row of cells follows.
    opening: int


Part = Line | Box | PageTable
#: Parts beside each other.
Row = list[Part]


def in_order(rows: Sequence[Row]) -> Iterator[Part | None]:
    """Yield lines and tables in reading order; None between separate parts."""
    bands = list(_bands(rows))
    for at, band in enumerate(bands):
        columns = _columns(band)
        if len(columns) > 1 and (_is_in_text(bands, at) or _is_below_another(columns)):
            columns = [band]
        if len(columns) > 1 and not _is_table(columns, band):
            for column in columns:
                yield from in_order(column)
        else:
            for row in band:
                yield from _across(row, is_row=len(columns) > 1)


def _is_below_another(columns: Sequence[Sequence[Row]]) -> bool:
    """Return whether a band with tables or boxes has no parts side by side, only indented ones."""
    parts = sorted(
        (part.top, part.bottom, number, isinstance(part, Line))
        for number, column in enumerate(columns)
        for row in column
        for part in row
    )
    apart = all(one[1] <= other[0] or one[2] == other[2] for one, other in pairwise(parts))
    return apart and not all(is_line for *_, is_line in parts)


def _is_in_text(bands: Sequence[Sequence[Row]], at: int) -> bool:
    """Return whether a band is a few rows of a paragraph with wide spaces between words."""
    band = bands[at]
    if len(band) > RIVER:
        return False
    pairs = [(bands[at - 1][-1], band[0])] if at else []
    pairs += [(band[-1], bands[at + 1][0])] if at + 1 < len(bands) else []
    return any(
        isinstance(above, Line)
        and isinstance(below, Line)
        and below.top - above.bottom <= GAP * above.height
        and abs(below.size - above.size) <= SAME_SIZE
        for (above, *_), (below, *_) in pairs
    )


def _across(row: Row, *, is_row: bool) -> Iterator[Part | None]:
    lines = [part for part in row if isinstance(part, Line)]
    if lines:
        yield replace(joined(lines), is_row=is_row and len(lines) > 1)
    for part in row:
        if isinstance(part, Box):
            yield None
            yield from in_order(part.rows)
            yield None
        elif isinstance(part, PageTable):
            yield part


def _bands(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Split rows where a line crosses the gap between columns."""
    band: list[Row] = []
    taken: list[tuple[float, float]] = []
    for row in rows:
        now = _taken(row, taken)
        # A line crosses the gap between the columns above, or columns begin below such a line.
        closes = len(now) == 1 and (len(taken) > 1 or len(row) > 1)
        closes = closes or _is_over(taken, row) or (bool(band) and _is_heading(band[-1], row))
        if band and closes:
            yield band
            band, now = [], _taken(row, [])
        band.append(row)
        taken = now
    if band:
        yield band


def _is_over(taken: Sequence[tuple[float, float]], row: Row) -> bool:
    """Return whether a text above the middle of a row is a heading over its columns."""
    if len(taken) != 1 or len(row) < 2:
        return False
    ((left, right),) = taken
    return any(one.x1 < left < other.x0 < right for one, other in pairwise(row))


def _is_heading(above: Row, row: Row) -> bool:
    """Return whether a lone line is larger than the row above it, and separated from it."""
    line, *others = row
    if others or not isinstance(line, Line) or len(above) < 2:
        return False
    bottom = max(part.bottom for part in above)
    return line.size >= LARGER * _size(above) and line.top - bottom > GAP * line.height


def _taken(row: Row, before: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the horizontal intervals of the page that hold text."""
    merged: list[tuple[float, float]] = []
    for left, right in sorted([*before, *((part.x0, part.x1) for part in row)]):
        if merged and left - merged[-1][1] < BETWEEN * _size(row):
            merged[-1] = merged[-1][0], max(right, merged[-1][1])
        else:
            merged.append((left, right))
    return merged


def _size(row: Row) -> float:
    return min((part.size for part in row if isinstance(part, Line)), default=8.0)


def _columns(band: Sequence[Row]) -> list[list[Row]]:
    taken: list[tuple[float, float]] = []
    for row in band:
        taken = _taken(row, taken)
    columns: defaultdict[int, list[Row]] = defaultdict(list)
    for row in band:
        apart: defaultdict[int, Row] = defaultdict(list)
        for part in row:
            apart[next(n for n, (_, right) in enumerate(taken) if part.x0 <= right)].append(part)
        for number, parts in apart.items():
            columns[number].append(parts)
    return [columns[number] for number in sorted(columns)]


def _is_table(columns: Sequence[Sequence[Row]], band: Sequence[Row]) -> bool:
    """Return whether side-by-side texts form a table."""
    if any(not isinstance(part, Line) for row in band for part in row):
        return False
    lines = [
        [joined([part for part in row if isinstance(part, Line)]) for row in column]
        for column in columns
    ]
    beside = [_beside(column, lines) for column in lines]
    if max(beside) < BESIDE:
        # Lines at different heights form no rows.
        return not _overlap(lines)
    flowing = [is_flowing(column) for column in lines]
    if all(flowing):
        return False
    if any(flowing):
        labels = [column for column, flows in zip(lines, flowing, strict=True) if not flows]
        # Row names are only at the first lines of cells.
        if any(_has_holes(column, lines) for column in labels):
            return True
        # No row begins within a sentence of another cell.
        midst = [line for column in lines for line in going_on(column)]
        others = [line for column in labels for line in column]
        beside_midst = [
            line for line in midst if any(_same_height(line, other) for other in others)
        ]
        fewest = 1 if all(_are_sentences(column) for column in labels) else FEWEST
        return len(beside_midst) < fewest
    return not _are_alike(lines)


def _are_sentences(column: Sequence[Line]) -> bool:
    return len(column) > 1 and all(line.text.endswith((".", "!", "?")) for line in column)


def _same_height(one: Line, other: Line) -> bool:
    return abs(one.bottom - other.bottom) <= 0.35 * min(one.size, other.size)


def _beside(column: Sequence[Line], columns: Sequence[Sequence[Line]]) -> float:
    """Return the share of a column's lines with a neighbour in the other column."""
    others = sorted(line.bottom for other in columns if other is not column for line in other)
    near = 0.35 * min(line.size for line in column)
    found = sum(any(abs(line.bottom - bottom) <= near for bottom in others) for line in column)
    return found / len(column)


def _has_holes(column: Sequence[Line], columns: Sequence[Sequence[Line]]) -> bool:
    """Return whether another column has lines between two successive lines of this column."""
    return any(
        above.bottom < other.top and other.bottom < below.top + 1
        for above, below in pairwise(column)
        for others in columns
        for other in others
    )


def _overlap(columns: Sequence[Sequence[Line]]) -> bool:
    return any(
        min(one[-1].bottom, other[-1].bottom) > max(one[0].top, other[0].top)
        for one, other in pairwise(columns)
    )


def going_on(column: Sequence[Line]) -> list[Line]:
    """Return the lines that continue the full line above."""
    right = max(line.x1 for line in column)
    return [line for before, line in pairwise(column) if _goes_on(before, line, right)]


def _goes_on(before: Line, line: Line, right: float) -> bool:
    if line.top - before.bottom > GAP * before.height or abs(line.size - before.size) > SAME_SIZE:
        return False
    if not line.text[:1].islower() or before.text.endswith((".", "!", "?", ":", ";")):
        return False
    word = (line.x1 - line.x0) * (len(line.text.split()[0]) + 1) / len(line.text)
    return before.x1 + word >= right - 0.5 * line.size


def is_flowing(column: Sequence[Line]) -> bool:
    """Return whether stacked lines are running text."""
    fewest = 1 if len(column) <= 3 else FEWEST
    return len(going_on(column)) >= max(fewest, FLOWING * (len(column) - 1))


def _shape(text: str) -> str:
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", text))


def _are_alike(columns: Sequence[Sequence[Line]]) -> bool:
    """Return whether lines have the shape of those beside them but not of those below, as two
    addresses side by side."""
    beside = [
        _shape(one.text) == _shape(other.text)
        for left, right in pairwise(columns)
        for one in left
        for other in right
        if _same_height(one, other)
    ]
    below = [
        _shape(one.text) == _shape(other.text)
        for column in columns
        for one, other in pairwise(column)
    ]
    return sum(beside) > 0.5 * len(beside) and sum(below) < 0.5 * len(below)
