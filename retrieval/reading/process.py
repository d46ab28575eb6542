"""The process that reads documents, one after another (`zol.runtime.confined`).

To read another kind of document, write its reader and name it in `READERS`.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping
from dataclasses import astuple
from functools import partial
from importlib import import_module
from typing import Any

from retrieval.reading.blocks import Block, Sort
from retrieval.reading.visible import LEFT_OUT
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
#: Most letters of a document; a table header counts with each row.
MOST_LETTERS = 2_000_000


def reader_of(
    media_type: str, languages: str = "", tell: Callable[[str], None] = print
) -> Callable[[bytes], tuple[Block, ...]]:
    """Return the reader of a media type, with OCR if languages are named."""
    module, name = READERS[media_type]
    found: Callable[..., tuple[Block, ...]] = getattr(
        import_module(f"retrieval.reading.{module}"), name
    )
    if media_type != PDF:
        return found
    ocr = import_module("retrieval.reading.pdf.ocr").Ocr(languages, tell) if languages else None
    return partial(found, ocr=ocr, tell=tell)


def read_here(data: bytes, media_type: str, ocr: str, say: Say) -> tuple[Block, ...]:
    """Return a document's blocks, inside the reader process: without limits of time and memory."""
    blocks = reader_of(media_type, ocr, lambda words: say({"told": words}))(data)
    letters = sum(len(b.text) + len(b.header) + len(b.caption) + len(b.lead) for b in blocks)
    if letters > MOST_LETTERS:
        raise UnreadableDocument(f"It holds {letters:,} letters; at most {MOST_LETTERS:,} are read")
    return blocks


def work(data: bytes, asked: Mapping[str, str], _known: str, say: Say) -> list[Any]:
    return [astuple(block) for block in read_here(data, say=say, **asked)]


def compare(data: bytes, asked: Mapping[str, str], _known: str, say: Say) -> list[Any]:
    """Return a document's blocks, and the parts left out with the reasons."""
    LEFT_OUT.set([])
    blocks = work(data, asked, _known, say)
    left_out, _ = LEFT_OUT.get(), LEFT_OUT.set(None)
    return [blocks, left_out]


class Reader(Confined):
    """The reader process."""

    def read(
        self,
        data: bytes,
        media_type: str,
        *,
        longest: float = LONGEST,
        ocr: str = "",
        tell: Callable[[str], None] = nobody,
    ) -> tuple[Block, ...]:
        """Return a document's blocks; raise `UnreadableDocument` with the reason, in time. `ocr`
        and `tell` are those of `retrieval.reading.read`."""
        asked = {"media_type": media_type, "ocr": ocr}
        blocks = self.ask(f"{__name__}:work", data, asked, longest=longest, tell=tell)
        return tuple(Block(Sort(sort), *rest) for sort, *rest in blocks)


reader = Reader()
atexit.register(reader.close)
