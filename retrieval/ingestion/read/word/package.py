"""The zip file that a Word document is."""

from __future__ import annotations

import io
import zipfile
import zlib

from lxml import etree

from retrieval.ingestion.read.word.names import MAIN, STRICT
from zol.errors import UnreadableDocument

#: Bytes of XML in all; a small file that unpacks to more is a bomb.
LARGEST = 50 * 1024**2
#: Besides the document itself.
PARTS = ("styles", "numbering", "footnotes", "endnotes")


def unpacked(data: bytes) -> dict[str, etree._Element]:
    """Return the parts that are read, by what they hold: "document" and those of `PARTS`."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _parts(archive, parser)
    except (
        zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, etree.LxmlError
    ) as error:  # fmt: skip
        raise UnreadableDocument(f"This is not a Word document: {error}") from error


def _parts(archive: zipfile.ZipFile, parser: etree.XMLParser) -> dict[str, etree._Element]:
    names = _names(archive, parser)
    left = LARGEST
    found: dict[str, etree._Element] = {}
    for part in ("document", *PARTS):
        name = names.get(part, f"word/{part}.xml")
        if part != "document" and name not in archive.NameToInfo:
            continue
        content = _read(archive, name, left)
        left -= len(content)
        root = etree.fromstring(content.replace(STRICT.encode(), MAIN.encode()), parser)
        del content
        found[part] = root
    return found


def _names(archive: zipfile.ZipFile, parser: etree.XMLParser) -> dict[str, str]:
    """Return the files in which the parts stand, as far as the archive says so."""
    try:
        types = etree.fromstring(_read(archive, "[Content_Types].xml", LARGEST), parser)
    except KeyError:
        return {}
    names: dict[str, str] = {}
    for override in types:
        kind = override.get("ContentType", "").removesuffix("+xml").rpartition(".")[2]
        part = "document" if kind == "main" else kind
        names.setdefault(part, override.get("PartName", "").lstrip("/"))
    return names


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as file:
        # What the archive says of its size may be a lie: stop reading at the limit.
        content = file.read(most + 1)
    if len(content) > most:
        raise UnreadableDocument("The document unpacks to more than is read of any document")
    return content
