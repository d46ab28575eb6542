"""Searching rows for words as people type them: "cafe" finds "Café", and the other way round.

PostgreSQL's own extension for this (unaccent) is not there in every database, so what is looked for
says itself which letters may stand in the place of each.
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
#: Accents of their own, after the letter that they belong to.
_MARKS = "[\u0300-\u036f]*"


@CharField.register_lookup
@TextField.register_lookup
class Alike(Lookup):
    """`name__alike="cafe"`: the text holds this, however its letters are written."""

    lookup_name = "alike"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        left, said = self.process_lhs(compiler, connection)
        right, sought = self.process_rhs(compiler, connection)
        return f"{left} ~ {right}", (*said, *(pattern_of(str(text)) for text in sought))


def pattern_of(text: str) -> str:
    """Return an expression of PostgreSQL that finds a text in all ways of writing it."""
    written, place, folded = [], 0, fold(text)
    while place < len(folded):
        letter, pair = folded[place], folded[place : place + 2]
        one = _any_of(letter)
        if joined := _alike().get(pair if len(pair) == 2 else ""):
            written.append(f"(?:{one}{_any_of(pair[1])}|[{joined}])")
            place += 2
        else:
            written.append(one)
            place += 1
    return "".join(written)


def _any_of(letter: str) -> str:
    if not letter.isalpha():
        return re.escape(letter)
    return f"[{letter}{_alike().get(letter, '')}]{_MARKS}"


@cache
def _alike() -> Mapping[str, str]:
    """Return the letters that fold to each letter, or to two such as ß."""
    found: dict[str, str] = defaultdict(str)
    for letter in map(chr, _LETTERS):
        folded = fold(letter)
        if folded != letter and letter.isalpha() and len(folded) in (1, 2):
            found[folded] += letter
    return dict(found)
