"""Group the letters of a page into words, and words into lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from statistics import median
from typing import Any
from unicodedata import normalize

from pdfplumber.utils.text import extract_words

from retrieval.reading.visible import raised

#: Distances as shares of a letter's size: of copies of a letter, drawn for bold or shadow; of
#: words; and of columns.
TWICE, WORD, APART = 0.13, 0.2, 1.0
#: Words whose baselines differ by less than this share of their size are on one line.
FOOT = 0.35
#: Largest size of superscript figures relative to the word before.
RAISED = 0.85
#: Least distance of a superscript from the baseline, as a share of the word's size.
UP = 0.12
#: A bullet or number of a list item, and its largest gap to the text in letter sizes. An unmapped
#: sign alone before a line is a bullet.
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


def words_of(chars: Iterable[dict[str, Any]], page: int) -> list[Line]:
    """Return the words of a page, each letter once."""
    found = extract_words(
        _once(chars), x_tolerance_ratio=WORD, y_tolerance=1, return_chars=True, extra_attrs=["size"]
    )
    return [_word(word, page) for word in found if word["text"].strip()]


def _once(chars: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop letters that are drawn again in nearly the same place."""
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
        # A third copy is near the second, perhaps not near the first.
        places[char["text"], across, down].append((x, y))
        if not is_again:
            kept.append(char)
    return kept


def _word(word: dict[str, Any], page: int) -> Line:
    chars = word["chars"]
    text = normalize("NFC", word["text"])
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


def rows_of(words: Iterable[Line]) -> list[list[Line]]:
    """Return the words row by row, left to right, adjacent ones joined."""
    rows: list[list[Line]] = []
    for word in sorted(_with_raised(words), key=lambda each: (each.bottom, each.x0)):
        # Rows at nearly the same height may overlap in the order of words.
        row = next((row for row in reversed(rows[-3:]) if _is_beside(word, row)), None)
        if row is not None:
            row.append(word)
        else:
            rows.append([word])
    for row in rows:
        row.sort(key=lambda each: each.x0)
    return [list(_pieces(row)) for row in rows]


def _is_beside(word: Line, row: Sequence[Line]) -> bool:
    last = row[-1]
    return abs(word.bottom - last.bottom) <= FOOT * min(word.size, last.size)


def _pieces(row: Sequence[Line]) -> Iterator[Line]:
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


def _with_raised(words: Iterable[Line]) -> list[Line]:
    """Join superscripts with the words that they follow."""
    kept = sorted(words, key=lambda word: (-word.size, word.x0))
    for small in list(kept):
        at = _base_of(small, kept)
        if at is not None:
            kept.remove(small)
            text, top = f"{kept[at].text}{raised(small.text)}", min(small.top, kept[at].top)
            kept[at] = replace(kept[at], text=text, x1=small.x1, top=top)
    return kept


def _base_of(small: Line, words: Sequence[Line]) -> int | None:
    """Return the index of the word that a superscript follows; words are sorted by size."""
    larger = takewhile(lambda word: small.size < RAISED * word.size, words)
    return next((at for at, word in enumerate(larger) if _is_raised_at(small, word)), None)


def _is_raised_at(small: Line, word: Line) -> bool:
    is_higher = word.top + 0.2 * word.height < small.bottom < word.bottom - UP * word.size
    return is_higher and -0.1 * word.size <= small.x0 - word.x1 <= 0.5 * word.size
