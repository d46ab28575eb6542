"""The zip file that a Word document is, and the names of WordprocessingML in it.

Its values are read as they may be from anybody's file; fonts of signs as what they show.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from functools import cache
from pathlib import Path

from lxml import etree

from zol.errors import UnreadableDocument

MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
#: The same vocabulary in a document saved as "Strict Open XML".
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
W = f"{{{MAIN}}}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_VALUE = f"{W}val"
#: Digits of a number; more is no number that Word wrote.
_LONGEST_NUMBER = 9


def value(element: etree._Element | None, path: str) -> str:
    """Return the value of the element at a path of names, `""` if there is none."""
    return attribute(element.find(_full(path))) if element is not None else ""


def attribute(element: etree._Element | None) -> str:
    """Return the value of an element that may be missing."""
    return element.get(_VALUE, "") if element is not None else ""


def properties(element: etree._Element, name: str) -> etree._Element | None:
    """Return the properties of an element, which are its first child."""
    try:  # Neither looking for it nor counting: an element may have a million children.
        first = element[0]
    except IndexError:
        return None
    return first if first.tag == name else None


@cache
def _full(path: str) -> str:
    return "/".join(f"{W}{step}" for step in path.split("/"))


def number(text: str, default: int = 0) -> int:
    """Return a whole number of an attribute."""
    is_number = text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return int(text) if is_number else default


def is_on(element: etree._Element) -> bool:
    """Whether a property that can be switched off is on."""
    return element.get(_VALUE) not in {"0", "false", "off"}


#: Signs stand at these numbers, or at the same ones in the private area.
_FIRST, _LAST, _PRIVATE = 0x20, 0xFF, 0xF000


def in_font(text: str, font: str) -> str:
    """Return a text with the signs that a font of signs shows for its letters."""
    shown = signs().get(font)
    if shown is None:
        return text
    return "".join(_sign(ord(letter), shown) for letter in text)


def _sign(code: int, shown: str) -> str:
    place = code - _PRIVATE if code >= _PRIVATE else code
    return shown[place - _FIRST] if _FIRST <= place <= _LAST else chr(code)


@cache
def signs() -> dict[str, str]:
    """Return of each font of signs, named in small letters, what it shows from the space on."""
    found: dict[str, str] = json.loads(Path(__file__).with_name("symbols.json").read_text("utf-8"))
    return found


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
