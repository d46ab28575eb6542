"""Documents for the viewer: chunks in order, without repeated text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from zol.text import cells_of, is_row, names_columns

#: Separator of a heading path, and heading prefix, as ingestion writes them.
PATH, HEADING = " › ", "## "
#: Beginning of a list item.
ITEM = re.compile(r"^\s*(?:-|(\d{1,3})\.)\s+")
#: Minimum and maximum letters of an overlap.
FEWEST, MOST = 12, 1_500


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk in its document."""

    id: int
    text: str
    section: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading, a list, or the rows of a table."""

    text: str = ""
    heading: str = ""
    #: Column names of a table, if any.
    names: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    items: tuple[str, ...] = ()
    #: Number of the first list item; 0 for bullets.
    start: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """A piece as shown; heading and page are empty if they are those of the piece before."""

    id: int
    blocks: tuple[Block, ...]
    heading: str = ""
    page: int = 0
    is_cited: bool = False


def parts_of(pieces: Sequence[Piece], cited: Collection[int] = ()) -> tuple[Part, ...]:
    """Return the parts of a document in reading order; a cited part stays whole unless the one
    before it is cited too."""
    parts = []
    before = Piece(0, "")
    for piece in _without_repetitions(pieces, cited):
        heading = piece.section.rpartition(PATH)[2] if piece.section != before.section else ""
        page = piece.page if piece.page != before.page else 0
        parts.append(Part(piece.id, tuple(blocks_of(piece.text)), heading, page, piece.id in cited))
        before = piece
    return tuple(part for part in parts if part.blocks)


def _without_repetitions(pieces: Sequence[Piece], cited: Collection[int]) -> list[Piece]:
    """Remove repeated text from each piece, or from the one before it if this one is cited."""
    kept = list(pieces)
    for number, (first, second) in enumerate(pairwise(pieces)):
        size = overlap(first.text, second.text) if first.section == second.section else 0
        if not size:
            continue
        if second.id in cited and first.id not in cited:
            kept[number] = replace(kept[number], text=kept[number].text[:-size].rstrip())
        else:
            kept[number + 1] = replace(second, text=second.text[size:].lstrip())
    return kept


def overlap(first: str, second: str) -> int:
    """Return the length of the longest end of the first text that begins the second."""
    longest = min(len(first), len(second) - 1, MOST)
    sizes = range(longest, FEWEST - 1, -1)
    return next((size for size in sizes if second.startswith(first[-size:])), 0)


def blocks_of(text: str) -> Iterable[Block]:
    """Yield the paragraphs, headings and tables of a text."""
    lines = [line for line in text.splitlines() if line.strip()]
    for in_table, group in groupby(lines, key=is_row):
        if in_table:
            yield from _tables(list(group))
        else:
            yield from _paragraphs(group)


def _paragraphs(lines: Iterable[str]) -> Iterable[Block]:
    """Yield headings, paragraphs, and lists of consecutive items."""
    for tag, group in groupby(lines, key=_list_tag):
        if not tag:
            yield from map(_block_of, group)
            continue
        items = list(group)
        number = items[0].strip().partition(".")[0] if tag == "ol" else "0"
        yield Block(items=tuple(ITEM.sub("", line) for line in items), start=int(number))


def _list_tag(line: str) -> str:
    """Return the HTML tag of the list that a line belongs to; empty if none."""
    found = ITEM.match(line)
    return "" if found is None else "ol" if found[1] else "ul"


def _block_of(line: str) -> Block:
    if line.startswith(HEADING):
        return Block(heading=line.removeprefix(HEADING).strip())
    return Block(text=line.strip())


def _tables(lines: Sequence[str]) -> Iterable[Block]:
    """Yield tables; a row of column names starts a new one."""
    names: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []
    for line in lines:
        if not names_columns(line):
            rows.append(cells_of(line))
            continue
        if names or rows:
            yield Block(names=names, rows=tuple(rows))
        names, rows = cells_of(line), []
    yield Block(names=names, rows=tuple(rows))
