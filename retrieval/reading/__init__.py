"""Reading: bytes of any kind to blocks of text."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.reading.blocks import Block
from retrieval.reading.process import DOCX, MEDIA_TYPES, READERS, reader
from zol.confined import LONGEST, nobody
from zol.errors import UnreadableDocument

__all__ = ["DOCX", "MEDIA_TYPES", "READERS", "Block", "read", "refuse_unread"]

#: Bytes of one document. A larger one fails, and only that one.
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
    """Return the blocks of a document in reading order; none when it holds no text.

    Whatever it is made of, it costs at most `longest` seconds and the memory of one reader process.
    With `ocr`, the languages that they may be in, pages that are pictures are read as well; that
    takes longer, and `tell` is told how far it is, and at last what is doubtful.
    """
    refuse_unread(data, media_type)
    return reader.read(data, media_type, longest=longest, ocr=ocr, tell=tell)


def refuse_unread(data: bytes, media_type: str) -> None:
    """Raise `UnreadableDocument` for a kind that is not read, and for a file that is too large."""
    if media_type not in READERS:
        raise UnreadableDocument(f"{media_type or 'This kind of file'} cannot be read")
    limit = LARGEST.get(media_type, LARGEST_TEXT)
    if len(data) > limit:
        raise UnreadableDocument(
            f"The file is {len(data) / 1024**2:.0f} MB; at most {limit // 1024**2} MB is read"
        )
