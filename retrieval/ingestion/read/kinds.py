"""The kinds of documents that are read. To add one, write its file and name it here.

Parsers are imported where documents are read, and nowhere else: they take a second and much memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module

from retrieval.ingestion.read.blocks import Block

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
#: Module and function of each media type.
READERS: Mapping[str, tuple[str, str]] = {
    "text/html": ("html", "read_html"),
    PDF: ("pdf", "read_pdf"),
    "text/markdown": ("plain", "read_markdown"),
    "text/plain": ("plain", "read_text"),
    DOCX: ("docx", "read_docx"),
}


def reader_of(
    media_type: str, languages: str = "", tell: Callable[[str], None] = print
) -> Callable[[bytes], tuple[Block, ...]]:
    """Return what reads a media type, pictures of a PDF in some languages if any are named."""
    module, name = READERS[media_type]
    found: Callable[..., tuple[Block, ...]] = getattr(
        import_module(f"retrieval.ingestion.read.{module}"), name
    )
    if languages and media_type == PDF:
        ocr = import_module("retrieval.ingestion.read.pdf.ocr").Ocr(languages, tell)
        return partial(found, ocr=ocr)
    return found
