"""Tables of HTML, Word and PDF as a grid without spans.

A reader passes the rows of a table as cells and yields the blocks of the grid:

    grid = grid_of([[GridCell("Room", row_span=2, is_header=True), …], …])
    yield from grid.blocks(page=3)

- In `GridCell.text` a line break is one newline, the end of a paragraph two. `in_one_line` joins
  them: "9-12" above "14-17" becomes "9-12, 14-17".
- A cell that spans rows or columns is repeated in each of them. A row span of 0 reaches to the end
  of the table; longer spans are cut off there.
- Rows at the top with only header cells (the first cell may be empty) are the column names; stacked
  names are joined: "Per day – Member". A header row further down begins a section with new names.
- A cell over the whole width is the table's title if it is at the top, a note if it is a sentence
  or at the end, and else a group heading: the first cell of each row below it ("Campus North").
- A table within a cell becomes text (`Grid.as_text`). The reader decides which tables only serve
  the layout, and reads their cells as blocks.
- `continued(before, after)` joins a table with its continuation on the next page of a PDF.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import dropwhile, groupby, pairwise, takewhile
from operator import is_

from retrieval.reading.blocks import NOTE, Block, Sort, in_one_line, item
from zol.errors import UnreadableDocument
from zol.text import written_names, written_row

#: Separator of stacked column names.
OVER = " \u2013 "
#: Most places of a table, and longest cell repeated across its span.
MOST_PLACES, MOST_REPEATED = 1_000_000, 1_000
#: Longest full-width cell that is not a note.
LONGEST_GROUP = 90
_SENTENCE = (".", "!", ":")


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of the document's table."""

    text: str
    row_span: int = 1
    column_span: int = 1
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class TableSection:
    """Rows under the same column names."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table without spans."""

    parts: tuple[TableSection, ...] = ()
    titles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: Whether each row begins with a group heading.
    is_grouped: bool = False

    @property
    def width(self) -> int:
        return max(
            (len(line) for part in self.parts for line in (part.names, *part.rows)), default=0
        )

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        return tuple(row for part in self.parts for row in part.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The column names at the end of the table."""
        return self.parts[-1].names if self.parts else ()

    def blocks(self, *, page: int = 0, caption: str = "", goes_on: bool = False) -> Iterator[Block]:
        """Yield the titles, the rows with their column names, and the notes. With `goes_on` the
        table began on the page before."""
        for title in self.titles:
            yield Block(Sort.TEXT, title, page=page, caption=title)
        called = " ".join(dict.fromkeys(filter(None, (caption, *self.titles))))
        begins = not goes_on
        for part in self.parts:
            for block in _list(part, page) if self.width == 1 else _table(part, page):
                is_first = begins and block.sort is not Sort.TEXT
                begins = begins and not is_first
                called_so = called if block.sort is Sort.ROW else ""
                yield replace(block, begins=is_first, caption=called_so)
        for note in self.notes:
            yield Block(Sort.TEXT, note, NOTE, page)

    def as_text(self) -> str:
        """Return the table as the text of one cell: "room: € 40; parking: € 8"."""
        rows = (_as_text(part.names, row) for part in self.parts for row in part.rows)
        return "; ".join(filter(None, (*self.titles, *rows, *self.notes)))


class _Sort(Enum):
    """The role of a table row."""

    NAMES = auto()
    ROW = auto()
    #: Full-width group heading or remark.
    GROUP = auto()
    NOTE = auto()


#: Cells repeated over their spans; rows of equal length.
_Placed = list[list[GridCell]]
_NOTHING = GridCell("")


def grid_of(rows: Iterable[Sequence[GridCell]]) -> Grid:
    """Return the grid of a table's rows, which may be of different lengths."""
    placed = _distinct(_filled([[_cleaned(cell) for cell in row] for row in rows]))
    sorts = _sorts(placed)
    titles = tuple(takewhile(lambda at: _is_title(sorts[at:]), range(len(sorts))))
    body = list(zip(sorts, placed, strict=True))[len(titles) :]
    is_grouped = any(sort is _Sort.GROUP for sort, _ in body)
    parts: list[TableSection] = []
    notes: list[str] = []
    names: tuple[str, ...] = ()
    group: tuple[str, ...] = ("",) * is_grouped
    for sort, found in groupby(body, key=lambda each: each[0]):
        run = [row for _, row in found]
        if sort is _Sort.NAMES:
            names = ("",) * is_grouped + tuple(map(_name, zip(*run, strict=True)))
        elif sort is _Sort.GROUP:
            group = (OVER.join(row[0].text for row in run),)
        elif sort is _Sort.NOTE:
            notes += [row[0].text for row in run]
        else:
            texts = ((*group, *(cell.text for cell in row)) for row in run)
            parts.append(TableSection(names, tuple(texts)))
    shown = tuple(placed[at][0].text for at in titles)
    return Grid(tuple(parts), shown, tuple(notes), is_grouped)


def continued(before: Grid, after: Grid) -> Grid | None:
    """Return the second table's rows under the first one's column names, without rows that repeat
    these; None if the columns differ."""
    width = before.width - before.is_grouped
    names = before.names[-width:]
    if width < 2 or after.width - after.is_grouped != width:
        return None
    own = [part.names[-width:] for part in after.parts if part.names]
    if any(each != names for each in own):
        return None
    rows = tuple(dropwhile(lambda row: _repeats(row[-width:], names), after.rows))
    titles = after.titles
    ends_in_group = bool(before.notes) and _is_group(before.notes[-1])
    if before.is_grouped or ends_in_group:
        group = before.notes[-1] if ends_in_group else before.rows[-1][0] if before.rows else ""
        if not after.is_grouped:
            # A title on this page is the group heading of its rows.
            group, titles, rows = (*titles, group)[0], (), tuple(("", *row) for row in rows)
        first = len(list(takewhile(lambda row: not row[0], rows)))
        rows = tuple((group, *row[1:]) if at < first else row for at, row in enumerate(rows))
    is_grouped = before.is_grouped or after.is_grouped or ends_in_group
    names = ("",) * is_grouped + names
    return Grid((TableSection(names, rows),), titles, after.notes, is_grouped)


def _repeats(row: Sequence[str], names: Sequence[str]) -> bool:
    pairs = [(cell, name) for cell, name in zip(row, names, strict=False) if cell]
    return bool(pairs) and all(cell in {name, *name.split(OVER)} for cell, name in pairs)


def _cleaned(cell: GridCell) -> GridCell:
    text = in_one_line(cell.text)
    if text == cell.text:  # Copying cells would take most of the time.
        return cell
    return GridCell(text, cell.row_span, cell.column_span, cell.is_header)


def _filled(rows: Sequence[Sequence[GridCell]]) -> _Placed:
    """Return the cells, each at every place that it spans."""
    #: By column: the cell that spans down, and rows left.
    down: dict[int, tuple[GridCell, int]] = {}
    placed: _Placed = []
    places = 0
    for at, row in enumerate(rows):
        line: list[GridCell] = []
        for cell in row:
            _reach(down, line)
            _place(cell, down, line, len(rows) - at - 1)
            if places + len(line) > MOST_PLACES:
                raise UnreadableDocument("A table has too many cells: split it")
        for column in sorted(column for column in down if column >= len(line)):
            line += [_NOTHING] * (column - len(line))
            _reach(down, line)
        placed.append(line)
        places += len(line)
    return placed


def _place(
    cell: GridCell, down: dict[int, tuple[GridCell, int]], line: list[GridCell], below: int
) -> None:
    """Place a cell in its columns of a row, unless a cell of a row above reaches there."""
    if cell.row_span:
        below = min(below, cell.row_span - 1)
    # A long text is not repeated.
    repeated = cell if len(cell.text) <= MOST_REPEATED else _NOTHING
    for _ in range(max(1, cell.column_span)):
        if len(line) in down:
            return
        if below > 0:
            down[len(line)] = (repeated, below)
        line.append(cell)


def _reach(down: dict[int, tuple[GridCell, int]], line: list[GridCell]) -> None:
    """Add to a row the cells that span into it from above, up to the next free column."""
    while reaching := down.pop(len(line), None):
        cell, left = reaching
        if left > 1:
            down[len(line)] = (cell, left - 1)
        line.append(cell)


def _distinct(placed: _Placed) -> _Placed:
    """Return rows of equal length, without empty or repeated rows and columns."""
    width = max(map(len, placed), default=0)
    if width * len(placed) > MOST_PLACES:
        raise UnreadableDocument("A table has too many cells: split it")
    rows: _Placed = []
    for line in placed:
        row = line + [_NOTHING] * (width - len(line))
        is_again = bool(rows) and all(map(is_, row, rows[-1]))
        if any(cell.text for cell in row) and not is_again:
            rows.append(row)
    kept = [
        column
        for column in range(width)
        if any(
            row[column].text and (not column or row[column] is not row[column - 1]) for row in rows
        )
    ]
    return [[row[column] for column in kept] for row in rows]


def _sorts(placed: _Placed) -> list[_Sort]:
    sorts = [_sort(row) for row in placed]
    if _Sort.ROW not in sorts:  # Column names without rows are rows.
        marked = [at for at, sort in enumerate(sorts) if sort is _Sort.NAMES]
        for at in marked[1:] or marked:
            sorts[at] = _Sort.ROW
    last = max((at for at, sort in enumerate(sorts) if sort is _Sort.ROW), default=-1)
    for at in range(last + 1, len(sorts)):
        sorts[at] = _Sort.ROW if sorts[at] is _Sort.NAMES else _Sort.NOTE
    return sorts


def _sort(row: list[GridCell]) -> _Sort:
    first, *others = row
    if others and all(cell is first for cell in others):
        return _Sort.GROUP if _is_group(first.text) else _Sort.NOTE
    names = all(cell.is_header for cell in others) and (
        first.is_header or (others and not first.text)
    )
    return _Sort.NAMES if names else _Sort.ROW


def _is_group(text: str) -> bool:
    """Return whether a full-width text is a group heading for the rows below it."""
    return len(text) <= LONGEST_GROUP and not text.endswith(_SENTENCE)


def _is_title(sorts: Sequence[_Sort]) -> bool:
    """Return whether the first row is the table's title."""
    first, *rest = sorts
    if first is not _Sort.GROUP:
        return first is _Sort.NOTE
    if _Sort.GROUP not in rest or rest[0] is _Sort.GROUP:
        return True
    has_names = any(pair == (_Sort.GROUP, _Sort.NAMES) for pair in pairwise(rest))
    return rest[0] is _Sort.NAMES and not has_names


def _name(column: Sequence[GridCell]) -> str:
    return OVER.join(dict.fromkeys(cell.text for cell in column if cell.text))


def _table(part: TableSection, page: int) -> Iterator[Block]:
    header = written_names(part.names) if any(part.names) else ""
    for row in part.rows:
        yield Block(Sort.ROW, written_row(row), page=page, header=header)


def _list(part: TableSection, page: int) -> Iterator[Block]:
    """Yield the blocks of a single column: items, or paragraphs if they are sentences."""
    yield from (Block(Sort.TEXT, name, page=page) for name in part.names if name)
    is_list = len(part.rows) > 1 and not any(row[0].endswith(_SENTENCE) for row in part.rows)
    for row in part.rows:
        yield item(row[0], page=page) if is_list else Block(Sort.TEXT, row[0], page=page)


def _as_text(names: Sequence[str], row: Sequence[str]) -> str:
    """Return a row as text: its first cell, then the others with their column names."""
    first, *others = row
    named = [*names[1:], *[""] * len(others)]
    named_cells = [
        " ".join(filter(None, pair)) for pair in zip(named, others, strict=False) if pair[1]
    ]
    return ": ".join(filter(None, (first, ", ".join(named_cells))))
