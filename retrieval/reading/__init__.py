"""Reading: turn the bytes of any document into blocks of text."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.reading.blocks import Block
from retrieval.reading.process import DOCX, MEDIA_TYPES, READERS, reader
from zol.errors import UnreadableDocument
from zol.runtime.confined import LONGEST, nobody

__all__ = ["DOCX", "MEDIA_TYPES", "READERS", "Block", "read", "refuse_unread"]

#: Largest document in bytes; a larger one fails alone.
LARGEST = {"application/pdf": 100 * 1024**2, DOCX: 50 * 1024**2}
LARGEST_TEXT = 10 * 1024**2


def read(
    data: bytes,
    media_type: str,
    *,
    longest: float = LONGEST,
    ocr: str = "",
    tell: Callable[[str], None] = nobody,
) -> tuple[Block, ...]:
    """Return the blocks of a document in reading order; none if it has no text.

    It takes at most `longest` seconds and the memory of one reader process. `ocr` names the
    languages of scanned pages, which take longer; `tell` reports progress and doubts.
    """
    refuse_unread(data, media_type)
    return reader.read(data, media_type, longest=longest, ocr=ocr, tell=tell)


def refuse_unread(data: bytes, media_type: str) -> None:
    """Raise `UnreadableDocument` for an unsupported or too large file."""
    if media_type not in READERS:
        raise UnreadableDocument(f"{media_type or 'This kind of file'} cannot be read")
    limit = LARGEST.get(media_type, LARGEST_TEXT)
    if len(data) > limit:
        raise UnreadableDocument(
            f"The file is {len(data) / 1024**2:.0f} MB; at most {limit // 1024**2} MB is read"
        )
