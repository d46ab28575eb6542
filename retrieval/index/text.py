"""What of a chunk is searched, by both lanes: said here once (decision D8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

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
