"""Group the letters of a page into words, and words into lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any
from unicodedata import normalize

from pdfplumber.utils.text import extract_words

#: Shares of a letter's size: a repeat within the first was drawn again for bold or shadow; a gap
#: beyond the second begins a word; beyond the third, perhaps a column.
TWICE, WORD, APART = 0.13, 0.2, 1.0
#: Baselines within this share of their size are one line.
FOOT = 0.35
#: Size of superscript figures relative to those before: minutes, cents, notes.
RAISED = 0.85
#: A bullet or number before an item, with the gap after it in sizes. An unmapped sign counts as one
#: if it is alone before a line.
_DOT = r"(?:[•▪◦‣·–\-*\ue000-\uf8ff]|\(cid:\d+\))"
BULLET = re.compile(rf"^{_DOT}(?=\s|$)")
_MARK = re.compile(rf"{_DOT}|(?:\d{{1,2}}|[a-zA-Z])[.)]")
MARK_GAP = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A word, or adjacent words on a line."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    #: Of most of its letters.
    size: float
    page: int = 0
    is_bold: bool = False
    #: Rows of a borderless table belong to no paragraph.
    is_row: bool = False

    @property
    def height(self) -> float:
        return self.bottom - self.top


def words_of(page: Any) -> list[Line]:
    """Return the words of a page, each letter once."""
    found = extract_words(
        _once(page.chars), x_tolerance_ratio=WORD, y_tolerance=1, return_chars=True
    )
    return [_word(word, page.page_number) for word in found if word["text"].strip()]


def _once(chars: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop letters drawn twice over each other."""
    kept: list[dict[str, Any]] = []
    places: defaultdict[tuple[str, int, int], list[tuple[float, float]]] = defaultdict(list)
    for char in chars:
        near = max(TWICE * char["size"], 0.01)
        x, y = char["x0"], char["top"]
        across, down = int(x // near), int(y // near)
        is_again = any(
            abs(x - other_x) <= near and abs(y - other_y) <= near
            for column in (across - 1, across, across + 1)
            for row in (down - 1, down, down + 1)
            for other_x, other_y in places.get((char["text"], column, row), ())
        )
        # What is drawn a third time is near the second, not near the first.
        places[char["text"], across, down].append((x, y))
        if not is_again:
            kept.append(char)
    return kept


def _word(word: dict[str, Any], page: int) -> Line:
    chars = word["chars"]
    text = normalize("NFC", _with_raised_apart(word["text"], chars))
    return Line(
        text,
        word["x0"],
        word["top"],
        word["x1"],
        word["bottom"],
        median(char["size"] for char in chars),
        page,
        "bold" in chars[0]["fontname"].lower(),
    )


def _with_raised_apart(text: str, chars: Sequence[dict[str, Any]]) -> str:
    if len(text) != len(chars) or not any(map(str.isdigit, text)):
        return text
    said = text[0]
    for before, char in pairwise(chars):
        figures = before["text"].isdigit() and char["text"].isdigit()
        said += " " * (figures and char["size"] < RAISED * before["size"]) + char["text"]
    return said


def rows_of(words: Iterable[Line]) -> list[list[Line]]:
    """Return the words row by row, left to right, adjacent ones joined."""
    rows: list[list[Line]] = []
    for word in sorted(words, key=lambda each: (each.bottom, each.x0)):
        # A row that begins a little lower may have begun before this one.
        row = next((row for row in reversed(rows[-3:]) if _is_beside(word, row)), None)
        if row is not None:
            row.append(word)
        else:
            rows.append([word])
    for row in rows:
        row.sort(key=lambda each: each.x0)
    return _with_raised([list(_pieces(row)) for row in rows])


def _is_beside(word: Line, row: Sequence[Line]) -> bool:
    last = row[-1]
    return abs(word.bottom - last.bottom) <= FOOT * min(word.size, last.size)


def _pieces(row: Sequence[Line]) -> Iterator[Line]:
    """Join adjacent words of a row."""
    piece = [row[0]]
    for word in row[1:]:
        gap = word.x0 - max(each.x1 for each in piece)
        size = max(word.size, piece[-1].size)
        is_marked = len(piece) == 1 and _MARK.fullmatch(piece[0].text)
        if gap > (MARK_GAP if is_marked else APART) * size:
            yield joined(piece)
            piece = []
        piece.append(word)
    yield joined(piece)


def joined(pieces: Sequence[Line]) -> Line:
    """Join adjacent words into one line."""
    if len(pieces) == 1:
        return pieces[0]
    text = pieces[0].text
    for before, piece in pairwise(pieces):
        is_apart = piece.x0 - before.x1 > 0.1 * min(piece.size, before.size)
        is_figure = text[-1].isdigit() and piece.text[0].isdigit()
        text += " " * (is_apart or is_figure) + piece.text
    longest = max(pieces, key=lambda piece: len(piece.text))
    return Line(
        text,
        min(piece.x0 for piece in pieces),
        min(piece.top for piece in pieces),
        max(piece.x1 for piece in pieces),
        max(piece.bottom for piece in pieces),
        longest.size,
        longest.page,
        all(piece.is_bold for piece in pieces),
    )


def _with_raised(rows: list[list[Line]]) -> list[list[Line]]:
    """Move raised or lowered small pieces into the row beside them."""
    kept: list[list[Line]] = []
    for at, row in enumerate(rows):
        left = [
            piece for piece in row if not any(_take(piece, near) for near in rows[at + 1 : at + 3])
        ]
        if left:
            kept.append(left)
    return kept


def _take(small: Line, row: list[Line]) -> bool:
    for at, piece in enumerate(row):
        if small.size >= RAISED * piece.size or small.bottom <= piece.top + 0.2 * piece.height:
            continue
        if -0.1 * piece.size <= small.x0 - piece.x1 <= 0.5 * piece.size:
            following = row[at + 1 : at + 2]
            if following and following[0].x0 - small.x1 <= APART * piece.size:
                row[at : at + 2] = [joined([piece, small, *following])]
            else:
                row[at] = joined([piece, small])
            return True
    return False
