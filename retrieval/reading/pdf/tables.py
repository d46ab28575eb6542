"""Frames on a PDF page: tables, and boxes of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from retrieval.reading.grid import Grid, GridCell, grid_of
from retrieval.reading.pdf.layout import GAP, Box, PageTable, Row, is_flowing
from retrieval.reading.pdf.lines import Line, joined, rows_of
from retrieval.reading.pdf.spelling import DocumentSpelling

#: Tolerance of equal edges in points.
EDGE = 3.0
#: Extra gap of paragraphs in a cell, as a share of line height.
FURTHER = 0.3
#: Line and paragraph ends in a grid's cell.
LINE, PARAGRAPH = "\n", "\n\n"


@dataclass(frozen=True, slots=True)
class _Place:
    """The contents of one cell of a frame."""

    x0: float
    top: float
    x1: float
    bottom: float
    words: list[Line]
    frames: list[Box | PageTable]

    @property
    def rows(self) -> list[Row]:
        return _rows(self.words, self.frames)

    def holds(self, part: Line | Box | PageTable) -> bool:
        return (
            self.x0 <= (part.x0 + part.x1) / 2 < self.x1
            and self.top <= (part.top + part.bottom) / 2 < self.bottom
        )


def rows_on(page: Any, words: Sequence[Line], spelling: DocumentSpelling) -> list[Row]:
    """Return the rows of a page: its lines, and its tables and boxes with their contents."""
    frames: list[Box | PageTable] = []
    for cells in sorted((table.cells for table in page.find_tables()), key=_area):
        places = [_Place(left, top, right, bottom, [], []) for left, top, right, bottom in cells]
        words, frames = _fill(places, words, frames)
        places = [place for place in places if place.words or place.frames]
        if places:
            frames += _frames(places, page.page_number, spelling)
    return _rows(words, frames)


def _area(cells: Sequence[tuple[float, float, float, float]]) -> float:
    left, top, right, bottom = zip(*cells, strict=True)
    return float((max(right) - min(left)) * (max(bottom) - min(top)))


def _fill(
    places: Sequence[_Place], words: Sequence[Line], frames: Sequence[Box | PageTable]
) -> tuple[list[Line], list[Box | PageTable]]:
    """Put words and frames into the places that contain them; return the others."""
    left, right = min(place.x0 for place in places), max(place.x1 for place in places)
    top, bottom = min(place.top for place in places), max(place.bottom for place in places)
    around = _Place(left, top, right, bottom, [], [])
    other_words: list[Line] = []
    other_frames: list[Box | PageTable] = []
    for word in words:
        place = _place_of(word, around, places)
        (place.words if place else other_words).append(word)
    for frame in frames:
        place = _place_of(frame, around, places)
        (place.frames if place else other_frames).append(frame)
    return other_words, other_frames


def _place_of(
    part: Line | Box | PageTable, around: _Place, places: Sequence[_Place]
) -> _Place | None:
    if not around.holds(part):
        return None
    return next((place for place in places if place.holds(part)), None)


def _rows(words: Sequence[Line], frames: Sequence[Box | PageTable]) -> list[Row]:
    rows: list[Row] = [list(row) for row in rows_of(words)]
    rows += [[frame] for frame in frames]
    return sorted(rows, key=lambda row: min(part.top for part in row)) if frames else rows


def _frames(
    places: Sequence[_Place], page: int, spelling: DocumentSpelling
) -> list[Box | PageTable]:
    """Return the places as a table, or as boxes if they are not in rows and columns."""
    across, down = _edges(place.x0 for place in places), _edges(place.top for place in places)
    if len(across) == 1 or (len(down) == 1 and _are_boxes(places)):
        return [Box(place.x0, place.top, place.x1, place.bottom, place.rows) for place in places]
    rows: list[list[GridCell]] = [[] for _ in down]
    bold: list[list[bool]] = [[] for _ in down]
    taken: set[tuple[int, int]] = set()
    for place in sorted(places, key=lambda each: (_at(down, each.top), each.x0)):
        row, column = _at(down, place.top), _at(across, place.x0)
        for empty in range(column):
            if (row, empty) not in taken:
                rows[row].append(GridCell(""))
                taken.add((row, empty))
        spans = _span(down, place.top, place.bottom), _span(across, place.x0, place.x1)
        taken |= {(row + y, column + x) for y in range(spans[0]) for x in range(spans[1])}
        rows[row].append(GridCell(_text(place, spelling), *spans))
        bold[row] += [word.is_bold for word in place.words]
    names, is_sure = _names(rows, bold)
    box = min(p.x0 for p in places), min(p.top for p in places)
    return [
        PageTable(
            *box,
            max(p.x1 for p in places),
            max(p.bottom for p in places),
            rows,
            page,
            names,
            is_sure,
            _opening(rows, bold),
        )
    ]


def _opening(rows: Sequence[Sequence[GridCell]], bold: Sequence[Sequence[bool]]) -> int:
    leading = len(list(takewhile(lambda row: bool(row) and all(row), bold)))
    return leading if all(len(row) == 1 for row in rows[leading:]) else 0


def _are_boxes(places: Sequence[_Place]) -> bool:
    """Return whether places side by side contain separate texts."""
    texts = [[joined(row) for row in rows_of(place.words)] for place in places]
    return sum(len(lines) > 1 and is_flowing(lines) for lines in texts) > 1 or any(
        place.frames for place in places
    )


def _edges(values: Any) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > EDGE:
            found.append(value)
    return found


def _at(edges: Sequence[float], value: float) -> int:
    return sum(edge <= value + 0.1 for edge in edges) - 1


def _span(edges: Sequence[float], begin: float, end: float) -> int:
    return max(1, sum(begin - EDGE < edge < end - EDGE for edge in edges))


def _text(place: _Place, spelling: DocumentSpelling) -> str:
    """Return the text of a cell, with paragraph breaks at wider gaps."""
    lines = [joined(row) for row in rows_of(place.words)]
    gaps = [line.top - before.bottom for before, line in pairwise(lines)]
    whole_text = spelling.within(lines[0].text) if lines else ""
    for line, gap in zip(lines[1:], gaps, strict=True):
        text = spelling.within(line.text)
        is_apart = gap > max(min(gaps) + FURTHER * line.height, GAP * line.height)
        joined_text = spelling.join(whole_text, text)
        is_wrapped = joined_text != f"{whole_text} {text}"
        whole_text = (
            joined_text if is_wrapped else f"{whole_text}{PARAGRAPH if is_apart else LINE}{text}"
        )
    tables = [
        grid_of(frame.rows).as_text() for frame in place.frames if isinstance(frame, PageTable)
    ]
    return PARAGRAPH.join(filter(None, (whole_text, *tables)))


def _names(rows: Sequence[Sequence[GridCell]], bold: Sequence[Sequence[bool]]) -> tuple[int, bool]:
    """Return the number of header rows, and whether their style differs from the rest."""
    are_bold = [bool(row) and all(row) for row in bold]
    leading = len(list(takewhile(bool, are_bold)))
    if 0 < leading <= 3 and leading < len(rows) and not all(are_bold):
        return leading, True
    if len(rows) < 2:
        return 0, False
    first, *rest = rows
    values = [cell.text for cell in first[1:]]
    figures = [any(map(str.isdigit, text)) for text in values]
    beside = [any(map(str.isdigit, cell.text)) for cell in rest[0][1:]]
    if any(figures) and figures == beside:
        return 0, False
    has_groups = any(cell.column_span > 1 for cell in first) and len(first) > 1
    return min(len(rows) - 1, max(2 if has_groups else 1, *(c.row_span for c in first))), False


def as_grid(table: PageTable, *, with_names: bool) -> Grid:
    """Return the grid of a table, with its header rows marked or not."""
    names = table.names if with_names else 0
    return grid_of(
        [GridCell(c.text, c.row_span, c.column_span, at < names) for c in row]
        for at, row in enumerate(table.rows)
    )


def is_below(before: PageTable, after: PageTable) -> bool:
    """Return whether a table has the columns of the one that ends the page before."""
    widths = [[cell.column_span for cell in table.rows[-1]] for table in (before, after)]
    # A table is only as wide as its texts: a column name may be missing at one end.
    apart = before.x1 - after.x1, before.x0 - after.x0, before.x1 - before.x0 - after.x1 + after.x0
    return (
        after.page == before.page + 1
        and sum(widths[0]) == sum(widths[1])
        and min(map(abs, apart)) < 4 * EDGE
    )
