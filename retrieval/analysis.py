"""From text to terms, and how long a text is.

Two lanes are made of the same folded words: *exact* keeps them as they are written, *stemmed*
takes their endings off (Snowball) and, for languages that write compounds as one word, can add the
parts that are words of the corpus. Which words say nothing is data of the hospital, and comes in
as an argument.
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
#: A shorter part is more often a piece of a word than a word.
SHORTEST_PART = 4

_PIECE = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_")
_stemmers = threading.local()


@dataclass(frozen=True, slots=True)
class Analyzer:
    """How the texts and questions of one corpus become terms; both must use the same one."""

    language: str
    #: Folded words of the corpus into which compounds are split; none means no splitting.
    known: frozenset[str] = frozenset()

    def exact(self, text: str) -> list[str]:
        """Return the folded words of a text, in order."""
        return list(words(text))

    def stemmed(self, text: str) -> list[str]:
        """Return the stems of the words of a text and of the parts of its compounds."""
        return self.stem(words(text))

    def stem(self, found: Iterable[str]) -> list[str]:
        whole = list(found)
        if self.known and self.language in LINKS:
            parts = [part for word in whole for part in split(word, self.known, self.language)]
            whole = [*whole, *parts]
        return stems(whole, self.language)


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


def split(word: str, known: frozenset[str], language: str) -> tuple[str, ...]:
    """Return the parts of a compound when all of it is known words and links, else nothing.

    The longest first part wins: "hartkatheterisatie" is heart and catheterisation.
    """
    for end in range(len(word) - SHORTEST_PART, SHORTEST_PART - 1, -1):
        head, rest = word[:end], word[end:]
        for link in LINKS.get(language, ()):
            stem = head.removesuffix(link) if link else head
            is_linked = len(stem) + len(link) == len(head)
            if not is_linked or len(stem) < SHORTEST_PART or stem not in known:
                continue
            tail = (rest,) if rest in known else split(rest, known, language)
            if tail:
                return (stem, *tail)
    return ()


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
