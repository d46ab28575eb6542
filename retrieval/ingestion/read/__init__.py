"""Reading: bytes of any kind to blocks of text. To add a kind, write its file and list it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from retrieval.ingestion.read.blocks import Block
from retrieval.ingestion.read.docx import read_docx
from retrieval.ingestion.read.html import read_html
from retrieval.ingestion.read.pdf import read_pdf
from retrieval.ingestion.read.plain import read_markdown, read_text
from zol.errors import UnreadableDocument

__all__ = ["READERS", "Block", "read"]

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
READERS: Mapping[str, Callable[[bytes], tuple[Block, ...]]] = {
    "text/html": read_html,
    "application/pdf": read_pdf,
    "text/markdown": read_markdown,
    "text/plain": read_text,
    DOCX: read_docx,
}
#: Bytes of one document. A larger one fails, and only that one.
LARGEST = {"application/pdf": 100 * 1024**2, DOCX: 50 * 1024**2}
LARGEST_TEXT = 10 * 1024**2


def read(data: bytes, media_type: str) -> tuple[Block, ...]:
    """Return the blocks of a document in reading order; none when it holds no text."""
    reader = READERS.get(media_type)
    if reader is None:
        raise UnreadableDocument(f"{media_type or 'This kind of file'} cannot be read")
    limit = LARGEST.get(media_type, LARGEST_TEXT)
    if len(data) > limit:
        raise UnreadableDocument(
            f"The file is {len(data) / 1024**2:.0f} MB; at most {limit // 1024**2} MB is read"
        )
    return reader(data)
