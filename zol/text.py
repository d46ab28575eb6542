"""Texts as people write them: folded, compared, cut into sentences; rows of a table as lines.

A full stop ends a sentence when a capital, a digit or an opening quote follows, unless the word
before it is so short that it is rather an abbreviation: "Dr. Peeters", "nr. 5", "tel. 089".

A line that begins with "|" names the columns of the rows below it. No row begins so: a first cell
without text is written as a dash, and a cell holds no "|".
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from unicodedata import combining, normalize

#: Letters that no decomposition takes apart, but that people type without their stroke.
_STROKES = str.maketrans({"ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe"})
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
#: Signs without width: of a line's end, of an encoding, those that part or join two
#: letters, and of the direction of writing.
_WIDTHLESS = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
#: The last two say something after an emoji and in scripts such as Arabic, and nothing in ours.
_IDLE = re.compile(
    "[\u00ad\u200b\u200e\u200f\u2060\ufeff]|(?:(?<=[\x00-\u058f\u1e00-\u200b])|^)[\u200c\u200d]+"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def marked(text: str) -> str:
    """Mark a sentence for translation in a room that knows no framework; import it as `_`."""
    return text


class _FoldTable(dict[int, str]):
    """What each letter becomes, found out when it is first met."""

    def __missing__(self, letter: int) -> str:
        plain = normalize("NFKD", chr(letter).casefold().translate(_STROKES))
        bare = self[letter] = "".join(each for each in plain if not combining(each))
        return bare


_folded = _FoldTable(dict.fromkeys(map(ord, _WIDTHLESS), ""))


def fold(text: str) -> str:
    """Return the text in lower case without accents and signs without width: "Reümatologie" as
    "reumatologie"."""
    if text.isascii():  # Most text is; then there is nothing else to do, five times as fast.
        return text.lower()
    return text.translate(_folded)


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, in order; punctuation is left out."""
    return tuple(_WORD.findall(fold(text).replace("’", "'")))


@lru_cache(maxsize=4_096)
def spaced(text: str) -> str:
    """Return the folded words of a text, each between spaces: what it names can be looked for."""
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=4_096)
def word_set(text: str) -> frozenset[str]:
    """Return the folded words of a text. Remembered: passages come back question after question."""
    return frozenset(words(text))


def without_idle_signs(text: str) -> str:
    """Return the text without the signs that have no width and say nothing, such as soft hyphens.

    The joiners within emoji and between the letters of other scripts stay.
    """
    return text if text.isascii() else _IDLE.sub("", text)


def storable(text: str) -> str:
    """Return the text without control characters, halves of characters and idle signs, and trimmed.

    A space takes their place. Visitors can send them; no database and no model takes them.
    """
    return _UNSTORABLE.sub(" ", without_idle_signs(text)).strip()


def inert(text: str) -> str:
    """Return the text as a cell that no spreadsheet works out."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def squash(text: str) -> str:
    """Return the text on one line with single spaces."""
    return " ".join(text.split())


#: A word of at most this many letters before a full stop may be an abbreviation.
SHORT = 3
_END = re.compile(r"[.!?;…]+[\"'”\u2019)\]]*\s+(?=[\"'“\u2018(\[]?[^\W_a-z])")
_VOWELS = frozenset("aeiouy\u03b1\u03b5\u03b7\u03b9\u03bf\u03c5\u03c9")  # Latin, then Greek.
_LAST_WORD = re.compile(r"([^\W\d_]+)\.$")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, in order; joined with spaces they are the text again."""
    found, start = [], 0
    for match in _END.finditer(text):
        candidate = text[start : match.end()].strip()
        if _is_abbreviated(candidate, text[match.end()]):
            continue
        found.append(candidate)
        start = match.end()
    if rest := text[start:].strip():
        found.append(rest)
    return tuple(found)


def _is_abbreviated(candidate: str, following: str) -> bool:
    last = _LAST_WORD.search(candidate)
    if last is None or len(last[1]) > SHORT:
        return False
    # A short word that can be spoken is none: "bus" has a vowel, "nr" has not.
    return last[1][0].isupper() or following.isdigit() or _VOWELS.isdisjoint(fold(last[1]))


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


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Return a table as CSV, a line at a time, so that it may be longer than memory."""
    return map(csv.writer(_Echo()).writerow, chain([columns], rows))
