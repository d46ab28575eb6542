"""The kinds of documents that are read. To add one, write its file and name it here.

Parsers are imported where documents are read, and nowhere else: they take a second and much memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from retrieval.ingestion.read.blocks import Block

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
#: Module and function of each media type.
READERS: Mapping[str, tuple[str, str]] = {
    "text/html": ("html", "read_html"),
    "application/pdf": ("pdf", "read_pdf"),
    "text/markdown": ("plain", "read_markdown"),
    "text/plain": ("plain", "read_text"),
    DOCX: ("docx", "read_docx"),
}


def reader_of(media_type: str) -> Callable[[bytes], tuple[Block, ...]]:
    """Return what reads a media type."""
    module, name = READERS[media_type]
    found: Callable[[bytes], tuple[Block, ...]] = getattr(
        import_module(f"retrieval.ingestion.read.{module}"), name
    )
    return found
