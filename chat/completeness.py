"""Whether every fixed text is there in every language, and says the same in each.

A text that is missing is said in another language, one whose placeholders differ leaves something
out, and one that is much longer or shorter than its translations was probably cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from zol.languages import LANGUAGES

#: How much longer or shorter than its translations a text may be.
LONGER, SHORTER = 2.5, 0.4
#: Texts whose translations are shorter differ too much in length by nature.
SHORTEST_JUDGED = 40
_PLACEHOLDER = re.compile(r"\{(\w+)\}")

#: A text by its kind and its language.
Texts = Mapping[tuple[str, str], str]


class What(StrEnum):
    MISSING = "missing"
    PLACEHOLDERS = "placeholders"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with one text in one language."""

    kind: str
    language: str
    what: What
    #: Placeholders that are not the same, or letters here and in the middle of the others.
    detail: str = ""


def flaws(
    texts: Texts, expected: Iterable[str], languages: Iterable[str] = LANGUAGES
) -> Iterator[Flaw]:
    """Yield what is wrong with texts, of which some kinds have to be there, kind by kind."""
    languages = tuple(languages)
    for kind in sorted({*expected, *(kind for kind, _ in texts)}):
        said = {code: texts.get((kind, code), "").strip() for code in languages}
        yield from (Flaw(kind, code, What.MISSING) for code, text in said.items() if not text)
        written = {code: text for code, text in said.items() if text}
        yield from _of_placeholders(kind, written)
        yield from _of_length(kind, written)


def _of_placeholders(kind: str, written: Mapping[str, str]) -> Iterator[Flaw]:
    named = {code: frozenset(_PLACEHOLDER.findall(text)) for code, text in written.items()}
    sets = list(named.values())
    usual = max(sets, key=lambda one: (sets.count(one), len(one)), default=frozenset())
    for code, names in named.items():
        if names != usual:
            yield Flaw(kind, code, What.PLACEHOLDERS, ", ".join(sorted(names ^ usual)))


def _of_length(kind: str, written: Mapping[str, str]) -> Iterator[Flaw]:
    middle = median(map(len, written.values())) if written else 0
    if middle < SHORTEST_JUDGED:
        return
    for code, text in written.items():
        if not SHORTER * middle <= len(text) <= LONGER * middle:
            yield Flaw(kind, code, What.LENGTH, f"{len(text)} / {middle:.0f}")
