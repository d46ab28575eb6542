"""Text analysis: the searchable text of a chunk, its terms, and token counts.

Both lanes read a chunk through the functions here (decision D8). The terms come in two lanes of the
same folded words: *exact* as written, *stemmed* without endings (Snowball). Stop words are the
hospital's data and are passed in. Compounds are not split: measured, no gain.
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
from zol.text import squash, word_set


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
    """Return the text that the keyword lane indexes."""
    return _joined(
        (chunk.title, chunk.section, chunk.content, chunk.context, *chunk.questions), "\n"
    )


def embedded_text(chunk: IndexedChunk) -> str:
    """Return the text to embed; its first line is the subject."""
    return _joined((place_of(chunk), chunk.context, *chunk.questions, chunk.content), "\n")


def about(chunk: IndexedChunk) -> str:
    """Return the context put before a chunk's own words: its place and extra questions. Questions
    that only repeat the page's title are dropped: they would make all its passages alike."""
    place = place_of(chunk)
    known = word_set(place)
    return _joined((place, *(each for each in chunk.questions if word_set(each) - known)), "\n")


def place_of(chunk: IndexedChunk) -> str:
    """Return a chunk's place: its page and section."""
    return _joined((chunk.title, chunk.section), " \u203a ")


def _joined(parts: Iterable[str], separator: str) -> str:
    return separator.join(filter(None, map(squash, parts)))


#: Linking letters of compounds, by language.
LINKS = {"nl": ("", "s", "en", "e"), "de": ("", "s", "en", "es", "n")}

_PIECE = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_")
_stemmers = threading.local()


def stems(found: Iterable[str], language: str) -> list[str]:
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
    """Return the words that are not stop words; all of them if none is left."""
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
