"""Text functions: folding, words, sentences, table rows as lines, CSV and Markdown.

A full stop ends a sentence when a capital, a digit or an opening quote follows, unless the word
before it is so short that it is probably an abbreviation: "Dr. Peeters", "nr. 5", "tel. 089".

In a table written as lines, a line that begins with "|" has the column names of the rows below it.
No row begins like this: an empty first cell is written as a dash, and cells contain no "|".
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

#: Letters without a Unicode decomposition, and what people type instead.
_STROKES = str.maketrans({"ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe"})
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
#: Beginning of a formula in a spreadsheet; a negative number is none.
_FORMULA = re.compile(r"[=+@\t\r]|-(?!\d+(?:[.,]\d+)?\Z)")
_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
#: Invisible characters. Joiners are kept after an emoji and in scripts such as Arabic, where they
#: have a meaning, and so is \ufe0f after an emoji.
_IDLE = regex.compile(
    r"(?V1)[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\ufe0f]]+"
    r"|(?:(?<=[\x00-\u058f\u1e00-\u200b])|^)[\u200c\u200d]+"
    r"|(?<![\p{Extended_Pictographic}0-9#*])\ufe0f+"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def marked(text: str) -> str:
    """Mark a sentence for translation in modules without Django; import it as `_`."""
    return text


class _FoldTable(dict[int, str]):
    """Translation table of `fold`, filled on demand."""

    def __missing__(self, letter: int) -> str:
        plain = normalize("NFKD", chr(letter).casefold().translate(_STROKES))
        bare = "".join(each for each in plain if not combining(each))
        self[letter] = "" if _INVISIBLE.match(chr(letter)) else bare
        return self[letter]


_folded = _FoldTable()


def fold(text: str) -> str:
    """Return the text in lower case without accents and invisible characters: "reumatologie" for
    "Reümatologie"."""
    if text.isascii():  # The usual case, five times as fast.
        return text.lower()
    return text.translate(_folded)


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, in order, without punctuation."""
    return tuple(_WORD.findall(fold(text).replace("’", "'")))


@lru_cache(maxsize=4_096)
def spaced(text: str) -> str:
    """Return the folded words of a text, each between spaces, to search for phrases in it."""
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=4_096)
def word_set(text: str) -> frozenset[str]:
    """Return the set of folded words of a text; cached, as passages recur."""
    return frozenset(words(text))


def without_idle_signs(text: str) -> str:
    """Return the text without invisible characters, such as soft hyphens and tags.

    Joiners in emoji and between letters of other scripts stay.
    """
    return text if text.isascii() else _IDLE.sub("", text)


def storable(text: str) -> str:
    """Return the trimmed text with spaces instead of control characters and lone surrogates.

    Invisible characters are removed. Visitors can send all of these, but databases and models
    refuse them.
    """
    return _UNSTORABLE.sub(" ", without_idle_signs(text)).strip()


def inert(text: str) -> str:
    """Return the text as a cell that no spreadsheet evaluates as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def without_quote(cell: str) -> str:
    """Return a cell without the quote that `inert` added."""
    return cell[1:] if inert(cell[1:]) == cell else cell


def web_address(text: str) -> str:
    """Return an address if it is safe as a link (http, https or relative), else an empty text."""
    try:
        return text if urlsplit(text).scheme in ("http", "https", "") else ""
    except ValueError:
        return ""


def squash(text: str) -> str:
    """Return the text on one line with single spaces."""
    return " ".join(text.split())


#: A word of at most this many letters before a full stop may be an abbreviation.
SHORT = 3
#: Possessive quantifiers, as a long row of signs would take quadratic time.
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
    # A short word with a vowel is no abbreviation: "bus", unlike "nr".
    return last[1][0].isupper() or following.isdigit() or _VOWELS.isdisjoint(fold(last[1]))


_BAR, _BETWEEN = "|", " | "
_NO_TEXT = "\u2013"


def written_row(cells: Sequence[str]) -> str:
    """Return the line of a row of cells."""
    first, *others = (cell.replace(_BAR, "/") for cell in cells)
    return _BETWEEN.join((first or _NO_TEXT, *others) if others else (first,))


def written_names(cells: Sequence[str]) -> str:
    """Return the line with the column names of a table."""
    return f"{_BAR} {_BETWEEN.join(cell.replace(_BAR, '/') for cell in cells)}"


def is_row(line: str) -> bool:
    """Return whether a line is a row of a table, or has its column names."""
    return line.startswith(_BAR) or f" {_BAR}" in line


def names_columns(line: str) -> bool:
    """Return whether a line has the column names of the rows below it."""
    return line.startswith(_BAR)


def cells_of(line: str) -> tuple[str, ...]:
    """Return the cells of a row, or the column names."""
    first, *others = (cell.strip() for cell in line.removeprefix(_BAR).split(_BAR))
    if names_columns(line) or not others:
        return (first, *others)
    return ("" if first == _NO_TEXT else first, *others)


class _Echo:
    """A file whose `write` returns the text."""

    def write(self, line: str) -> str:
        return line


def csv_lines(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield the lines of a table as CSV; no spreadsheet evaluates its texts as formulas."""
    cells = ((inert(each) if isinstance(each, str) else each for each in row) for row in rows)
    return map(csv.writer(_Echo()).writerow, chain([columns], cells))


#: Inserted in a literal "[1]", so that it is not taken for a citation.
JOINER = "\u2060"
_SOURCE = re.compile(r"\[(\d+)\]")
_BREAKS = re.compile(r"\s*[\r\n]\s*")
#: Markdown syntax anywhere in a line, …
_SIGNS = re.compile(
    r"[\\`*\[]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|<(?=[a-z/!?])|&(?=#?\w+;)", re.IGNORECASE
)
#: … and at its beginning, possibly after the number of an item.
_BEGINS = re.compile(
    r"^(?:\d{1,9}(?=[.)](?:\s|$))|(?=>|[-+](?:[\s|:-]|$)|#{1,6}(?:\s|$)|=+\s*$|[|:]\s*[:-]))"
)


class Markdown(str):
    """Text that is Markdown: the product's own, or written as such by staff."""

    __slots__ = ()


def escaped(text: object) -> Markdown:
    """Return a text as one line of Markdown that shows it literally.

    None of it becomes a link, a list, emphasis or a citation. Markdown is returned unchanged.
    """
    if isinstance(text, Markdown):
        return text
    line = _SOURCE.sub(rf"[{JOINER}\1{JOINER}]", _BREAKS.sub(" ", str(text)).lstrip())
    return Markdown(_BEGINS.sub(r"\g<0>\\", _SIGNS.sub(r"\\\g<0>", line)))
