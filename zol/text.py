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
from urllib.parse import urlsplit

import regex

#: Letters that no decomposition takes apart, but that people type without their stroke.
_STROKES = str.maketrans({"ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe"})
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
#: What a spreadsheet takes for the beginning of a formula, unless it is a number below zero.
_FORMULA = re.compile(r"[=+@\t\r]|-(?!\d+(?:[.,]\d+)?\Z)")
_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
#: Whatever Unicode shows nothing for. Joiners say something after an emoji and in scripts such as
#: Arabic, and nothing in ours; \ufe0f is the colour of an emoji.
_IDLE = regex.compile(
    r"(?V1)[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\ufe0f]]+"
    r"|(?:(?<=[\x00-\u058f\u1e00-\u200b])|^)[\u200c\u200d]+"
    r"|(?<![\p{Extended_Pictographic}0-9#*])\ufe0f+"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def marked(text: str) -> str:
    """Mark a sentence for translation in a room that knows no framework; import it as `_`."""
    return text


class _FoldTable(dict[int, str]):
    """What each letter becomes, found out when it is first met."""

    def __missing__(self, letter: int) -> str:
        plain = normalize("NFKD", chr(letter).casefold().translate(_STROKES))
        bare = "".join(each for each in plain if not combining(each))
        self[letter] = "" if _INVISIBLE.match(chr(letter)) else bare
        return self[letter]


_folded = _FoldTable()


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
    """Return the text without the signs that nobody sees, such as soft hyphens and tags.

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
    return f"'{text}" if _FORMULA.match(text) else text


def without_quote(cell: str) -> str:
    """Return a cell without the quote that `inert` put before it."""
    return cell[1:] if inert(cell[1:]) == cell else cell


def web_address(text: str) -> str:
    """Return an address that may be a link, of the web or of this site; else an empty text."""
    try:
        return text if urlsplit(text).scheme in ("http", "https", "") else ""
    except ValueError:
        return ""


def squash(text: str) -> str:
    """Return the text on one line with single spaces."""
    return " ".join(text.split())


#: A word of at most this many letters before a full stop may be an abbreviation.
SHORT = 3
#: Begins where signs begin and gives none back: else a row of them is read again and again.
_END = re.compile(r"(?<![.!?;…])[.!?;…]++[\"'”\u2019)\]]*+\s++(?=[\"'“\u2018(\[]?[^\W_a-z])")
_VOWELS = frozenset("aeiouy\u03b1\u03b5\u03b7\u03b9\u03bf\u03c5\u03c9")  # Latin, then Greek.
_LAST_WORD = re.compile(r"([^\W\d_]+)\.$")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, in order; joined with spaces they are the text again."""
    found, start = [], 0
    for match in _END.finditer(text):
        end = match.end()
        if _is_abbreviated(text[max(start, match.start() - SHORT - 1) : end].strip(), text[end]):
            continue
        found.append(text[start:end].strip())
        start = end
    if rest := text[start:].strip():
        found.append(rest)
    return tuple(found)


def _is_abbreviated(ending: str, following: str) -> bool:
    last = _LAST_WORD.search(ending)
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
    """Return a table as CSV, a line at a time, so that it may be longer than memory; no spreadsheet
    works out its texts."""
    cells = ((inert(each) if isinstance(each, str) else each for each in row) for row in rows)
    return map(csv.writer(_Echo()).writerow, chain([columns], cells))


#: Between the brackets of a text's own "[1]", so that nobody takes it for a source's number.
JOINER = "\u2060"
_SOURCE = re.compile(r"\[(\d+)\]")
_BREAKS = re.compile(r"\s*[\r\n]\s*")
#: What is read as more than itself anywhere in a line, …
_SIGNS = re.compile(
    r"[\\`*\[]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|<(?=[a-z/!?])|&(?=#?\w+;)", re.IGNORECASE
)
#: … and at its beginning, with what may stand before it: the number of an item.
_BEGINS = re.compile(
    r"^(?:\d{1,9}(?=[.)](?:\s|$))|(?=>|[-+](?:[\s|:-]|$)|#{1,6}(?:\s|$)|=+\s*$|[|:]\s*[:-]))"
)


class Markdown(str):
    """Text whose signs are meant: the product's own, or what staff wrote as Markdown."""

    __slots__ = ()


def escaped(text: object) -> Markdown:
    """Return a text as one line of Markdown that shows just that text: nothing of it is a link, a
    list, an emphasis or the number of a source. Text that is Markdown already stays as it is."""
    if isinstance(text, Markdown):
        return text
    line = _SOURCE.sub(rf"[{JOINER}\1{JOINER}]", _BREAKS.sub(" ", str(text)).lstrip())
    return Markdown(_BEGINS.sub(r"\g<0>\\", _SIGNS.sub(r"\\\g<0>", line)))
