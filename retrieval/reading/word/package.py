"""The zip package of a Word document: its parts, values, symbol fonts and styles.

Values are parsed defensively, because the file may be broken or hostile. Word translates the
identifiers of its built-in styles ("Kop1", "berschrift1") but keeps their English names.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lxml import etree

from zol.errors import UnreadableDocument

MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
#: The same vocabularies in a document saved as "Strict Open XML".
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
STRICT_MATH = "http://purl.oclc.org/ooxml/officeDocument/math"
W = f"{{{MAIN}}}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_VALUE = f"{W}val"
#: Most digits of a number that Word writes.
_LONGEST_NUMBER = 9


def value(element: etree._Element | None, path: str) -> str:
    """Return the value of the element at a path of names; `""` if there is none."""
    return attribute(element.find(_full(path))) if element is not None else ""


def attribute(element: etree._Element | None) -> str:
    """Return the value of an element that may be missing."""
    return element.get(_VALUE, "") if element is not None else ""


def properties(element: etree._Element, name: str) -> etree._Element | None:
    """Return the properties of an element, its first child."""
    try:  # An element may have a million children: neither search nor count them.
        first = element[0]
    except IndexError:
        return None
    return first if first.tag == name else None


@cache
def _full(path: str) -> str:
    return "/".join(f"{W}{step}" for step in path.split("/"))


def number(text: str, default: int = 0) -> int:
    """Return an attribute as a whole number."""
    is_number = text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return int(text) if is_number else default


def is_on(element: etree._Element) -> bool:
    """Return whether a toggle property is on."""
    return element.get(_VALUE) not in {"0", "false", "off"}


#: Code points of signs, also in the private-use area.
_FIRST, _LAST, _PRIVATE = 0x20, 0xFF, 0xF000


def in_font(text: str, font: str) -> str:
    """Return a text with the letters of a symbol font replaced by what they show."""
    shown = signs().get(font)
    if shown is None:
        return text
    return "".join(_sign(ord(letter), shown) for letter in text)


def _sign(code: int, shown: str) -> str:
    place = code - _PRIVATE if code >= _PRIVATE else code
    return shown[place - _FIRST] if _FIRST <= place <= _LAST else chr(code)


@cache
def signs() -> dict[str, str]:
    """Return the symbols of each symbol font (lower-case name), from the space on."""
    found: dict[str, str] = json.loads(Path(__file__).with_name("symbols.json").read_text("utf-8"))
    return found


#: Most bytes of unpacked XML, against zip bombs.
LARGEST = 50 * 1024**2
#: Parts besides the document itself.
PARTS = ("styles", "numbering", "footnotes", "endnotes")


def unpacked(data: bytes) -> dict[str, etree._Element]:
    """Return the parts to read by content: "document" and those of `PARTS`."""
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
        content = content.replace(STRICT.encode(), MAIN.encode())
        root = etree.fromstring(content.replace(STRICT_MATH.encode(), MATH.encode()), parser)
        del content
        found[part] = root
    return found


def _names(archive: zipfile.ZipFile, parser: etree.XMLParser) -> dict[str, str]:
    """Return the file names of the parts that the archive lists."""
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
        # The size that the archive states may be wrong: stop at the limit.
        content = file.read(most + 1)
    if len(content) > most:
        raise UnreadableDocument("The document is too large once unpacked: split it")
    return content


_HEADING = re.compile(r"heading ?([1-9])|title", re.IGNORECASE)
_CONTENTS = re.compile(r"toc ?[1-9]", re.IGNORECASE)
#: Outline levels from 0; the rest is text.
OUTLINE = 9
#: Properties of deleted or hidden text.
HIDING = (f"{W}strike", f"{W}dstrike", f"{W}vanish")
#: Depth of style inheritance; Word stops at ten.
_LONGEST_CHAIN = 20


@dataclass(frozen=True, slots=True)
class Style:
    """A style's properties, with those inherited."""

    #: Heading level, from 1; 0 for text.
    level: int = 0
    #: Whether it is the table of contents, which repeats headings.
    is_contents: bool = False
    #: Whether it is a caption.
    is_caption: bool = False
    numbering: str = ""
    #: Numbering level, from 0; None if unset.
    depth: str = ""
    hiding: frozenset[str] = frozenset()
    font: str = ""


class WordStyles:
    """The styles of a document; an unknown one is named by its identifier."""

    def __init__(self, part: etree._Element | None) -> None:
        root = etree.Element("none") if part is None else part
        own = root.iterchildren(f"{W}style")
        self._elements = {style.get(f"{W}styleId", ""): style for style in own}
        self._known: dict[str, Style] = {"": Style()}
        fonts = (font_of(mark.getparent()) for mark in root.iter(f"{W}rFonts"))
        #: Whether styles alone may hide runs or set symbol fonts.
        self.change_runs = next(root.iter(*HIDING), None) is not None or any(
            font in signs() for font in fonts
        )

    def __getitem__(self, identifier: str) -> Style:
        chain: list[str] = []
        while identifier not in self._known and len(chain) < _LONGEST_CHAIN:
            chain.append(identifier)
            identifier = value(self._elements.get(identifier), "basedOn")
            if identifier in chain:
                break
        style = self._known.get(identifier, Style())
        for each in reversed(chain):
            style = self._known[each] = _over(each, self._elements.get(each), style)
        return style


def _over(identifier: str, element: etree._Element | None, base: Style) -> Style:
    """Return a style's properties over those of its base."""
    if element is None:
        is_contents = bool(_CONTENTS.fullmatch(identifier))
        return Style(level=_named_level(identifier) or 0, is_contents=is_contents)
    name = value(element, "name")
    level = _named_level(name)
    if level is None:
        level = outline(element.find(f"{W}pPr/{W}outlineLvl"), base.level)
    runs = element.find(f"{W}rPr")
    return Style(
        level=level,
        is_contents=base.is_contents or bool(_CONTENTS.fullmatch(name)),
        is_caption=base.is_caption or name.lower() == "caption",
        numbering=value(element, "pPr/numPr/numId") or base.numbering,
        depth=value(element, "pPr/numPr/ilvl") or base.depth,
        hiding=hidden_by(runs, base.hiding),
        font=font_of(runs) or base.font,
    )


def hidden_by(runs: etree._Element | None, otherwise: frozenset[str]) -> frozenset[str]:
    """Return the properties by which a run is hidden; inherited ones count unless overridden."""
    if runs is None:
        return otherwise
    marks = {mark.tag: is_on(mark) for mark in runs.iterchildren(*HIDING)}
    return frozenset(name for name in HIDING if marks.get(name, name in otherwise))


def outline(own: etree._Element | None, otherwise: int) -> int:
    """Return the heading level of an outline level, 0 for text."""
    if own is None:
        return otherwise
    level = number(attribute(own), OUTLINE)
    return level + 1 if level < OUTLINE else 0


def font_of(properties: etree._Element | None) -> str:
    """Return the font named by properties, in lower case."""
    fonts = properties.find(f"{W}rFonts") if properties is not None else None
    if fonts is None:
        return ""
    return (fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi") or "").lower()


def _named_level(name: str) -> int | None:
    heading = _HEADING.fullmatch(name)
    return int(heading[1] or 1) if heading else None
