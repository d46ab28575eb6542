"""Whether a text says something: accents, case, markup and the format of telephone numbers apart.

A name counts only as a word of its own, so that "Neurologie" does not say "Urologie"; a number
only as a whole, so that "12,50" does not say "2,50".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from zol.text import fold, spaced

#: Digits from which a number is taken for one to dial; shorter ones (112) are compared as text.
SHORTEST_NUMBER = 8
_DIALLED = re.compile(r"(?P<abroad>\+|00)?[\d\s./()\-\u2010-\u2015]+")
_BETWEEN = r"[\s./()\-\u2010-\u2015]{0,3}"
#: Marks of sources, emphasis, and the signs by which lines are quoted or listed.
_MARKUP = re.compile(r"\[\d+\]|\*+|__+|^[ \t]*(?:>[ \t]?)+|^[ \t]*[-•][ \t]+", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{[a-z_]+\}")
_SAME = str.maketrans(
    dict.fromkeys("‘’‚′´`", "'") | dict.fromkeys("“”„«»″", '"') | dict.fromkeys("‐‑‒–—−", "-")
)


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """Return a text folded, on one line, without markup, with one kind of quotes and dashes."""
    return " ".join(_joined(fold(_MARKUP.sub(" ", text).translate(_SAME))).split())


def _joined(text: str) -> str:
    """Names are written with and without hyphen: Sint-Jan, Sint Jan; and € close or apart."""
    return re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", text).replace("€", " € ")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of an answer as they are read: no marks of sources, lists or emphasis."""
    return tuple(word for word in _MARKUP.sub(" ", text).split() if any(map(str.isalnum, word)))


def says_text(text: str, fixed: str) -> bool:
    """Return whether a text contains a fixed one, whatever stands in its placeholders."""
    pieces = map(plain, _PLACEHOLDER.split(fixed))
    return re.search(".{1,200}?".join(map(re.escape, pieces)), plain(text)) is not None


def says(text: str, wanted: str) -> bool:
    """Return whether a text contains a name or number; with `a|b`, either."""
    return any(_says(text, one.strip()) for one in wanted.split("|") if one.strip())


def _says(text: str, one: str) -> bool:
    if pattern := _number_pattern(one):
        return pattern.search(text) is not None
    return _name_pattern(plain(one)).search(plain(text)) is not None


@lru_cache(maxsize=4096)
def _name_pattern(name: str) -> re.Pattern[str]:
    before = r"(?<!\w)(?<!\d[.,:])" if name[:1].isdigit() else r"(?<!\w)"
    after = r"(?!\w)(?![.,:]\d)" if name[-1:].isdigit() else r"(?!\w)"
    return re.compile(f"{before}{re.escape(name)}{after}")


@lru_cache(maxsize=1024)
def _number_pattern(text: str) -> re.Pattern[str] | None:
    """Return how a telephone number may be written; nothing when the text is no such number."""
    found = _DIALLED.fullmatch(text.strip())
    if found is None:
        return None
    is_abroad = bool(found["abroad"])
    digits = re.sub(r"\D", "", text.replace("(0)", ""))
    digits = digits.removeprefix("00") if is_abroad else digits
    if len(digits) < SHORTEST_NUMBER or not (is_abroad or digits.startswith("0")):
        return None
    return re.compile("|".join(_forms(digits, is_abroad=is_abroad)))


def _forms(digits: str, *, is_abroad: bool) -> Iterator[str]:
    """Give the ways to write a number: with 0 at home, with +32 or 0032 from abroad."""
    if not is_abroad:
        national = digits.removeprefix("0")
        code = rf"(?:\+|00)\d{{1,3}}{_BETWEEN}(?:\(0\))?{_BETWEEN}"
        yield _number(rf"(?:{code}|0{_BETWEEN})", national)
        return
    yield _number(rf"(?:\+|00){_BETWEEN}", digits)
    for size in (1, 2, 3):  # Country codes have one to three digits.
        code, national = digits[:size], digits[size:]
        spaced = _BETWEEN.join(code)
        yield _number(rf"(?:\+|00){_BETWEEN}{spaced}{_BETWEEN}\(0\){_BETWEEN}", national)
        yield _number(f"0{_BETWEEN}", national)


def _number(start: str, digits: str) -> str:
    return rf"(?<![\d+]){start}{_BETWEEN.join(digits)}(?!\d)"


def quotes(text: str, quote: str) -> bool:
    """Return whether the words of a quotation stand in a text, one after the other."""
    return bool(quote.strip()) and spaced(quote) in spaced(text)
