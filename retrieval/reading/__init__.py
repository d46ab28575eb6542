"""Read documents: turn the bytes of a page, brochure or text into blocks.

Documents are read in a separate process, one after another (`zol.runtime.confined`). To support
another file type, write a reader and add it to `READERS`.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping
from dataclasses import astuple
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

from retrieval.reading.blocks import Block, Sort
from retrieval.reading.visible import LEFT_OUT, Why
from zol.errors import UnreadableDocument
from zol.runtime.confined import LONGEST, Confined, Say, nobody

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
#: Reader module and function by media type.
READERS: Mapping[str, tuple[str, str]] = {
    "text/html": ("html", "read_html"),
    PDF: ("pdf", "read_pdf"),
    "text/markdown": ("html", "read_markdown"),
    "text/plain": ("html", "read_text"),
    DOCX: ("word", "read_docx"),
}
#: Media type by file extension.
MEDIA_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".pdf": PDF,
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".docx": DOCX,
}
#: Largest document in bytes; a larger one fails alone.
LARGEST = {PDF: 100 * 1024**2, DOCX: 50 * 1024**2}
LARGEST_TEXT = 10 * 1024**2
#: Most letters of a document; a table's header counts once for each row.
MOST_LETTERS = 2_000_000
Blocks: TypeAlias = tuple[Block, ...]
#: Parts left out, with the reasons.
LeftOut: TypeAlias = tuple[tuple[str, Why], ...]

reader = Confined()
atexit.register(reader.close)


def compared(
    data: bytes,
    media_type: str,
    *,
    longest: float = LONGEST,
    ocr: str = "",
    tell: Callable[[str], None] = nobody,
    by: Confined = reader,
) -> tuple[Blocks, LeftOut]:
    """Return the blocks of a document in reading order, and the texts left out.

    It takes at most `longest` seconds and the memory of one reader process. `ocr` names the
    languages of scanned pages, which take longer; `tell` reports progress and doubts.

    :raises UnreadableDocument: with the reason, in time.
    """
    refuse_unread(data, media_type)
    asked = {"media_type": media_type, "ocr": ocr}
    blocks, left_out = by.ask(f"{__name__}:compare", data, asked, longest=longest, tell=tell)
    return (
        tuple(Block(Sort(sort), *rest) for sort, *rest in blocks),
        tuple((text, Why(why)) for text, why in left_out),
    )


def read(
    data: bytes, media_type: str, *, longest: float = LONGEST, ocr: str = "", tell: Any = nobody
) -> Blocks:
    """Return the blocks of a document in reading order; none if it has no text."""
    return compared(data, media_type, longest=longest, ocr=ocr, tell=tell)[0]


def refuse_unread(data: bytes, media_type: str) -> None:
    """Raise `UnreadableDocument` for an unsupported or too large file."""
    if media_type not in READERS:
        raise UnreadableDocument(f"{media_type or 'This kind of file'} cannot be read")
    limit = LARGEST.get(media_type, LARGEST_TEXT)
    if len(data) > limit:
        raise UnreadableDocument(
            f"The file is {len(data) / 1024**2:.0f} MB; at most {limit // 1024**2} MB is read"
        )


def reader_of(
    media_type: str, languages: str = "", tell: Callable[[str], None] = print
) -> Callable[[bytes], Blocks]:
    """Return the reader of a media type, with OCR if languages are named."""
    module, name = READERS[media_type]
    found: Callable[..., Blocks] = getattr(import_module(f"retrieval.reading.{module}"), name)
    if media_type != PDF:
        return found
    ocr = import_module("retrieval.reading.pdf.ocr").Ocr(languages, tell) if languages else None
    return partial(found, ocr=ocr, tell=tell)


def read_here(data: bytes, media_type: str, ocr: str, say: Say) -> Blocks:
    """Return a document's blocks. It runs inside the reader process, which limits time and
    memory."""
    blocks = reader_of(media_type, ocr, lambda words: say({"told": words}))(data)
    letters = sum(len(b.text) + len(b.header) + len(b.caption) + len(b.lead) for b in blocks)
    if letters > MOST_LETTERS:
        raise UnreadableDocument(f"It holds {letters:,} letters; at most {MOST_LETTERS:,} are read")
    return blocks


def compare(data: bytes, asked: Mapping[str, str], say: Say) -> list[Any]:
    """Return blocks and texts left out as JSON values, inside the reader process."""
    LEFT_OUT.set([])
    blocks = [astuple(block) for block in read_here(data, say=say, **asked)]
    left_out, _ = LEFT_OUT.get(), LEFT_OUT.set(None)
    return [blocks, left_out]
