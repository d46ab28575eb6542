"""Text analysis: the indexed texts of a chunk, stems, and token counts.

Keyword terms are the stems (Snowball) of folded words. Stop words are data of the hospital and are
passed in. Compounds are not split, which was measured to gain nothing.
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
        values = {name: getattr(row, name) for name in ("content", "section", "context")}
        return cls(row.pk, row.document.title, **values, questions=tuple(row.questions))


def keyword_text(chunk: IndexedChunk) -> str:
    """Return the text of a chunk for the keyword index."""
    return _joined(
        (chunk.title, chunk.section, chunk.content, chunk.context, *chunk.questions), "\n"
    )


def embedded_text(chunk: IndexedChunk) -> str:
    """Return the text to embed; its first line is the subject."""
    return _joined((place_of(chunk), chunk.context, *chunk.questions, chunk.content), "\n")


def about(chunk: IndexedChunk) -> str:
    """Return the context that is embedded with each window of a chunk: its place and its questions,
    except those that only repeat its title, which would make a page's chunks too similar."""
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
    cl100k give about the same count for Dutch and a lower one for English, so a budget by this
    count holds for them too. Their exact vocabularies would have to be downloaded.
    """
    return sum(map(_tokens, _PIECE.findall(text)))


@lru_cache(maxsize=20_000)
def _tokens(piece: str) -> int:
    if piece.isdigit():
        return ceil(len(piece) / 3)
    return ceil(len(piece.encode()) / 4)
