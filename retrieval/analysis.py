"""Analyse texts: searchable text of a chunk, terms, stems, and token counts.

What of a chunk both lanes search is said here once (decision D8). Two lanes are made of the same
folded words: *exact* keeps them as they are written, *stemmed* takes their endings off (Snowball).
Which words say nothing is data of the hospital, and comes in as an argument. Compounds are not
split: it was measured, and gained nothing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import Stemmer

from taxonomy.language.tokens import STEMMERS
from zol.text import squash, word_set, words


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """The parts of a chunk that search reads."""

    chunk_id: int
    title: str
    content: str
    section: str = ""
    context: str = ""
    questions: tuple[str, ...] = ()

    @classmethod
    def of(cls, row: Any) -> IndexedChunk:
        """Return the parts of a stored chunk."""
        told = {name: getattr(row, name) for name in ("content", "section", "context")}
        return cls(row.pk, row.document.title, **told, questions=tuple(row.questions))


def keyword_text(chunk: IndexedChunk) -> str:
    """Return the text whose words the keyword lane finds."""
    return _joined(
        (chunk.title, chunk.section, chunk.content, chunk.context, *chunk.questions), "\n"
    )


def embedded_text(chunk: IndexedChunk) -> str:
    """Return the text whose meaning the dense lane finds; its first line says what it is about."""
    return _joined((place_of(chunk), chunk.context, *chunk.questions, chunk.content), "\n")


def about(chunk: IndexedChunk) -> str:
    """Return what is read before a chunk's own words: its place, and questions that say more.

    What repeats the page's title in other words would make all passages of a page alike.
    """
    place = place_of(chunk)
    known = word_set(place)
    return _joined((place, *(each for each in chunk.questions if word_set(each) - known)), "\n")


def place_of(chunk: IndexedChunk) -> str:
    """Return where a chunk stands: its page and section."""
    return _joined((chunk.title, chunk.section), " \u203a ")


def _joined(parts: Iterable[str], separator: str) -> str:
    return separator.join(filter(None, map(squash, parts)))


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
