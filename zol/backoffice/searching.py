"""Search that ignores accents and case: "cafe" finds "Café", and the other way round.

The extension unaccent is not available in every database, so the search term becomes a regular
expression with all variants of each letter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db.models import CharField, Lookup, TextField

from zol.text import fold

#: Latin with all its accents, Greek and Cyrillic.
_LETTERS = (*range(0x41, 0x5B), *range(0xC0, 0x300), *range(0x370, 0x530), *range(0x1E00, 0x2000))
#: Combining accents, after their letter.
_MARKS = "[\u0300-\u036f]*"


@CharField.register_lookup
@TextField.register_lookup
class Alike(Lookup):
    """`name__alike="cafe"`: whether a text contains another, ignoring accents and case."""

    lookup_name = "alike"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        left, params = self.process_lhs(compiler, connection)
        right, sought = self.process_rhs(compiler, connection)
        return f"{left} ~ {right}", (*params, *(pattern_of(str(text)) for text in sought))


def pattern_of(text: str) -> str:
    """Return a regular expression for PostgreSQL that matches all variants of a text."""
    written, place, folded = [], 0, fold(text)
    while place < len(folded):
        letter, pair = folded[place], folded[place : place + 2]
        one = _any_of(letter)
        if joined := _variants().get(pair if len(pair) == 2 else ""):
            written.append(f"(?:{one}{_any_of(pair[1])}|[{joined}])")
            place += 2
        else:
            written.append(one)
            place += 1
    return "".join(written)


def _any_of(letter: str) -> str:
    if not letter.isalpha():
        return re.escape(letter)
    return f"[{letter}{_variants().get(letter, '')}]{_MARKS}"


@cache
def _variants() -> Mapping[str, str]:
    """Return the letters that fold to each letter, or to two such as ß."""
    found: dict[str, str] = defaultdict(str)
    for letter in map(chr, _LETTERS):
        folded = fold(letter)
        if folded != letter and letter.isalpha() and len(folded) in (1, 2):
            found[folded] += letter
    return dict(found)
