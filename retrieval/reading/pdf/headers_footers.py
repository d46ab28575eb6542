"""Find the headers, footers and page numbers of a PDF: lines repeated at the edges of its pages.

Only the page number may differ between pages. A line in which another figure differs is content,
and so is a line on too few pages.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.reading.pdf.lines import Line

#: Height of the edges at top and bottom, as a share of the page.
EDGE = 0.12
#: Tolerance of position between pages in points.
SAME_PLACE = 4.0
#: Fewest pages, and least share of them, with a header or footer. One with page numbers, or one on
#: all pages in letters smaller than this share of the text's, needs fewer.
FEWEST, SHARE, SMALLER = 4, 0.4, 0.92
#: Fewest pages with a header on left or right pages only.
FEWEST_OF_SIDE = 3
#: Least size of a heading relative to the text.
LARGER = 1.1
#: Least gap between a page number and the text, in line heights.
AWAY = 0.7
_NUMBER = re.compile(r"\d+")
#: Text after a page number: at most one word and the total ("page 3 of 8", "3/8").
_AFTER = re.compile(r"\W*(?:[^\W\d]+\W*)?(\d+)?\W*")
#: A figure of a telephone number, an hour or a price, which may be content; not "BR-0342".
_FIGURE = re.compile(r"(?<![\w-])\d")
#: Signs around a page number between words: "~ 3 ~".
_BETWEEN = re.compile(r"[^\w\s]\s*$"), re.compile(r"\s*[^\w\s]")
#: Roman page numbers of front matter.
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv")


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of a page, and its height."""

    height: float
    rows: Sequence[Sequence[Line]]


def headers_and_footers(pages: Sequence[Page], body: float) -> set[Line]:
    """Return the lines that are headers, footers or page numbers; `body` is the text's letter
    size."""
    repeated: set[Line] = set()
    # For each page its top edge and its bottom edge.
    at_edges = [list(_edge(page, is_bottom=end)) for page in pages for end in (False, True)]
    groups: defaultdict[tuple[bool, str], list[tuple[float, int, Line]]] = defaultdict(list)
    for number, rows in enumerate(at_edges):
        page, is_bottom = divmod(number, 2)
        height = pages[page].height
        for row in rows:
            for line in row:
                place = height - line.bottom if is_bottom else line.top
                groups[not is_bottom, _pattern(line.text)].append((place, page + 1, line))
    away = {
        line
        for number, edge in enumerate(at_edges)
        for line in _away(pages[number // 2], edge, is_bottom=bool(number % 2))
    }
    for (is_top, _), group in groups.items():
        for same in _same_place(group):
            largest = LARGER * body if is_top else math.inf
            repeated |= _repeated(same, len(pages), away, (SMALLER * body, largest))
    return {line for rows in at_edges for line in _outermost(rows, repeated)}


def _edge(page: Page, *, is_bottom: bool) -> Iterator[Sequence[Line]]:
    """Yield the rows at an edge of a page, outermost first."""
    for row in reversed(page.rows) if is_bottom else page.rows:
        middle = (row[0].top + row[0].bottom) / 2
        if middle >= (1 - EDGE) * page.height if is_bottom else middle <= EDGE * page.height:
            yield row
        else:
            return


def _away(page: Page, edge: Sequence[Sequence[Line]], *, is_bottom: bool) -> Iterator[Line]:
    """Yield the lines at an edge that a gap separates from the text."""
    rows = page.rows[::-1] if is_bottom else page.rows
    for at in range(len(edge)):
        is_alone = at == 0 and len(rows) == 1
        if is_alone or (
            at + 1 < len(rows) and _gap(rows[at], rows[at + 1]) > AWAY * rows[at][0].height
        ):
            for row in edge[: at + 1]:
                yield from row
            return


def _gap(row: Sequence[Line], other: Sequence[Line]) -> float:
    spans = [
        (min(line.top for line in each), max(line.bottom for line in each)) for each in (row, other)
    ]
    (_, above), (below, _) = sorted(spans)
    return below - above


def _same_place(group: Sequence[tuple[float, int, Line]]) -> Iterator[list[tuple[int, Line]]]:
    run: list[tuple[float, int, Line]] = []
    for each in sorted(group, key=lambda found: found[0]):
        if run and each[0] - run[0][0] > SAME_PLACE:
            yield [(page, line) for _, page, line in run]
            run = []
        run.append(each)
    yield [(page, line) for _, page, line in run]


def _repeated(
    found: Sequence[tuple[int, Line]], pages: int, away: set[Line], sizes: tuple[float, float]
) -> set[Line]:
    """Return which lines with the same words, given with their pages, are headers or footers;
    `sizes` are the size of small letters and the largest size."""
    smaller, largest = sizes
    on = {page for page, _ in found}
    if len(on) < 2:
        return set()
    lines = {line for _, line in found}
    is_common = (len(on) >= FEWEST and len(on) >= SHARE * pages) or (
        len(on) >= FEWEST_OF_SIDE and any(on == set(range(first, pages + 1, 2)) for first in (1, 2))
    )
    is_apart = 2 * len(lines & away) > len(lines)
    if len({line.text for line in lines}) == 1:
        is_small = all(line.size <= smaller for line in lines)
        if not is_apart or not (is_common or (is_small and len(on) == pages)):
            return set()
        first = min(found, key=lambda each: each[0])[1]
        return lines - {first} if _FIGURE.search(first.text) else lines
    if not is_common and len(on) < pages - 1:
        return set()
    # A numbered line close to the text, such as "Day 1", is a heading.
    is_plain = is_apart and all(line.size <= largest for line in lines)
    has_words = any(map(str.isalpha, _pattern(found[0][1].text)))
    counts = _counts_pages(found, pages, is_common=is_common)
    return lines if counts and (is_plain or not has_words) else set()


def _counts_pages(found: Sequence[tuple[int, Line]], pages: int, *, is_common: bool) -> bool:
    """Return whether the lines differ only by the page number."""
    if _pattern(found[0][1].text) == "#":
        counts = Counter(_number(line.text) - page for page, line in found)
        # A foreword may have its own page numbers.
        is_counted = len(counts) == 1 or (len(counts) == 2 and min(counts.values()) > 1)
        return is_counted if is_common else set(counts) == {0}
    numbers = [[int(n) for n in _NUMBER.findall(line.text[:200])] for _, line in found]
    return _is_counted(
        found[0][1].text, numbers, [page for page, _ in found], pages, is_common=is_common
    )


def _is_counted(
    text: str, numbers: Sequence[Sequence[int]], on: Sequence[int], pages: int, *, is_common: bool
) -> bool:
    """Return whether one number in a line follows the page number and the others are constant."""
    counting = []
    for slot, values in enumerate(zip(*numbers, strict=True)):
        if len(set(values)) == 1:
            continue
        offsets = {value - page for value, page in zip(values, on, strict=True)}
        if len(offsets) > 1 or (not is_common and offsets != {0}):
            return False
        counting.append((slot, offsets.pop()))
    if len(counting) != 1:
        return False
    slot, ahead = counting[0]
    place = list(_NUMBER.finditer(text))[slot]
    if rest := _AFTER.fullmatch(text[place.end() :]):
        is_short = rest[1] is not None or not any(map(str.isalpha, rest[0]))
        return is_short and (rest[1] is None or int(rest[1]) in {pages, pages + ahead})
    before, after = _BETWEEN
    if before.search(text[: place.start()]) and after.match(text[place.end() :]):
        return is_common
    # "3  Foot clinic"
    is_first = not any(map(str.isalnum, text[: place.start()]))
    return is_first and is_common and not ahead and len(numbers[0]) == 1


def _pattern(text: str) -> str:
    """Return a text with a placeholder for each number."""
    return "#" if text.casefold() in _ROMAN else _NUMBER.sub("#", text)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _ROMAN.index(text.casefold()) + 1


def _outermost(rows: Sequence[Sequence[Line]], repeated: set[Line]) -> Iterator[Line]:
    """Yield the repeated lines between the edge and the first other line."""
    for row in rows:
        yield from (line for line in row if line in repeated)
        if not all(line in repeated for line in row):
            return
