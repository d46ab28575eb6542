"""Word documents: a zip file with one XML document that matters."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

from lxml import etree

from retrieval.ingestion.read.blocks import Block, Sort, clean, item, tidy
from retrieval.ingestion.read.grid import Cell, grid_of
from zol.errors import UnreadableDocument

PART = "word/document.xml"
#: Bytes of XML; a small file that unpacks to more is a bomb.
LARGEST = 50 * 1024**2
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: The styles of headings by their identifiers, which Word keeps in English, and Title.
HEADING = re.compile(r"(?:heading|title)\s*(\d?)", re.IGNORECASE)


def read_docx(data: bytes) -> tuple[Block, ...]:
    """Return the blocks of a Word document."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        body = etree.fromstring(_unpacked(data), parser).find(f"{W}body")
    except (zipfile.BadZipFile, KeyError, etree.LxmlError, NotImplementedError) as error:
        raise UnreadableDocument(f"This is not a Word document: {error}") from error
    return tidy(_blocks(body)) if body is not None else ()


def _unpacked(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(PART) as file:
        # What the archive says of its size may be a lie: stop reading at the limit.
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise UnreadableDocument("The document unpacks to more than is read of any document")
    return content


def _blocks(body: etree._Element) -> Iterator[Block]:
    for element in body:
        if element.tag == f"{W}tbl":
            rows = [
                [Cell(_text(cell), is_header=not number) for cell in row.iter(f"{W}tc")]
                for number, row in enumerate(element.iter(f"{W}tr"))
            ]
            yield from grid_of(rows).blocks()
        elif element.tag == f"{W}p":
            yield _paragraph(element)


def _paragraph(element: etree._Element) -> Block:
    style = element.find(f"{W}pPr/{W}pStyle")
    name = style.get(f"{W}val", "") if style is not None else ""
    if heading := HEADING.search(name):
        return Block(Sort.HEADING, _text(element), level=int(heading[1] or 1))
    is_item = element.find(f"{W}pPr/{W}numPr") is not None
    return item(_text(element)) if is_item else Block(Sort.TEXT, _text(element))


def _text(element: etree._Element) -> str:
    pieces = (
        node.text or "" if node.tag == f"{W}t" else " "
        for node in element.iter(f"{W}t", f"{W}tab", f"{W}br")
    )
    return clean("".join(pieces))
