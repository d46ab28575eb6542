"""Markdown and plain text."""

from __future__ import annotations

import codecs
import re

from lxml import html
from markdown_it import MarkdownIt

from retrieval.ingestion.read.blocks import Block, Sort, clean, tidy
from retrieval.ingestion.read.html import blocks_of


def decode(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 if it says so, else Western Windows."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_text(data: bytes) -> tuple[Block, ...]:
    """Return the paragraphs of a text, which empty lines separate."""
    paragraphs = re.split(r"\n\s*\n", decode(data))
    return tidy(Block(Sort.TEXT, clean(paragraph)) for paragraph in paragraphs)


def read_markdown(data: bytes) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text; HTML inside it is text."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    rendered = parser.render(decode(data))
    if not rendered.strip():
        return ()
    return tidy(blocks_of(html.fragment_fromstring(rendered, create_parent="main")))
