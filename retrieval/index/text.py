"""What of a chunk is searched, by both lanes: said here once (decision D8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zol.text import squash


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """The parts of a chunk that search reads."""

    chunk_id: int
    title: str
    content: str
    section: str = ""
    context: str = ""
    questions: tuple[str, ...] = ()


def keyword_text(chunk: IndexedChunk) -> str:
    """Return the text whose words the keyword lane finds."""
    return _joined(
        (chunk.title, chunk.section, chunk.content, chunk.context, *chunk.questions), "\n"
    )


def embedded_text(chunk: IndexedChunk) -> str:
    """Return the text whose meaning the dense lane finds; its first line says what it is about."""
    about = _joined((chunk.title, chunk.section), " \u203a ")
    return _joined((about, chunk.context, *chunk.questions, chunk.content), "\n")


def _joined(parts: Iterable[str], separator: str) -> str:
    return separator.join(filter(None, map(squash, parts)))
