"""From text to terms, and how long a text is.

Two lanes are made of the same folded words: *exact* keeps them as they are written, *stemmed*
takes their endings off (Snowball). Which words say nothing is data of the hospital, and comes in as
an argument. Compounds are not split: it was measured, and gained nothing (docs/decisions/007).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import Stemmer

from zol.text import words

#: Snowball's names for the stemmers of the languages that are spoken here.
STEMMERS = {
    "nl": "dutch",
    "en": "english",
    "fr": "french",
    "de": "german",
    "tr": "turkish",
    "it": "italian",
    "ro": "romanian",
    "el": "greek",
}
#: What may stand between the parts of a compound, per language that joins words.
LINKS = {"nl": ("", "s", "en", "e"), "de": ("", "s", "en", "es", "n")}

_PIECE = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_")
_stemmers = threading.local()


@dataclass(frozen=True, slots=True)
class Analyzer:
    """How the texts and questions of one corpus become terms; both must use the same one."""

    language: str

    def exact(self, text: str) -> list[str]:
        """Return the folded words of a text, in order."""
        return list(words(text))

    def stem(self, found: Iterable[str]) -> list[str]:
        """Return the stems of words."""
        return stems(list(found), self.language)


def stems(found: Sequence[str], language: str) -> list[str]:
    """Return the stem of every word; a language without a stemmer keeps its words."""
    if language not in STEMMERS:
        return list(found)
    # A stemmer keeps a cache and may not be used by two threads at once.
    if not hasattr(_stemmers, "by_language"):
        _stemmers.by_language = {}
    if language not in _stemmers.by_language:
        _stemmers.by_language[language] = Stemmer.Stemmer(STEMMERS[language])
    return list(_stemmers.by_language[language].stemWords(list(found)))


def content_words(found: Sequence[str], function_words: frozenset[str]) -> list[str]:
    """Return the words that say something; all of them when none does."""
    return [word for word in found if word not in function_words] or list(found)


def count_tokens(text: str) -> int:
    """Return about how many tokens a model would count, the same on every machine.

    A word costs one token per four bytes of UTF-8, rounded up (so Greek costs twice as much as
    Latin), a number one per three digits, a punctuation mark one. Byte-pair encodings such as
    cl100k come out near this for Dutch ("ziekenhuis" 3, "behandeling" 3) and lower for English,
    whose long words they know whole: a budget kept by this count is kept by theirs. The exact
    vocabulary is a download, which nothing here may need.
    """
    return sum(map(_tokens, _PIECE.findall(text)))


@lru_cache(maxsize=20_000)
def _tokens(piece: str) -> int:
    if piece.isdigit():
        return ceil(len(piece) / 3)
    return ceil(len(piece.encode()) / 4)
