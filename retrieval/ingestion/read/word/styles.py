"""Styles: what a paragraph or a run is by its name, and by the styles that it is based on.

Word translates the identifiers of its own styles ("Kop1", "berschrift1") and keeps their names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from retrieval.ingestion.read.word.package import W, attribute, is_on, number, signs, value

_HEADING = re.compile(r"heading ?([1-9])|title", re.IGNORECASE)
_CONTENTS = re.compile(r"toc [1-9]", re.IGNORECASE)
#: Levels of an outline from 0; what follows is text.
OUTLINE = 9
#: Properties by which text no longer counts.
HIDING = (f"{W}strike", f"{W}dstrike", f"{W}vanish")
#: Styles that one is based on, over each other. Word itself stops at ten.
_LONGEST_CHAIN = 20


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says, with all that it is based on."""

    #: Of a heading, from 1; 0 for text.
    level: int = 0
    #: Of the table of contents: a menu, which repeats the headings.
    is_contents: bool = False
    numbering: str = ""
    #: Of its numbering, from 0; nothing if it does not say.
    depth: str = ""
    hiding: frozenset[str] = frozenset()
    font: str = ""


class Styles:
    """The styles of a document; an unknown one is called as its identifier."""

    def __init__(self, part: etree._Element | None) -> None:
        root = etree.Element("none") if part is None else part
        own = root.iterchildren(f"{W}style")
        self._elements = {style.get(f"{W}styleId", ""): style for style in own}
        self._known: dict[str, Style] = {"": Style()}
        fonts = (font_of(mark.getparent()) for mark in root.iter(f"{W}rFonts"))
        #: Whether a run can be hidden, or in a font of signs, by its style alone.
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
    """Return what a style says over the one that it is based on."""
    if element is None:
        return Style(level=_named_level(identifier) or 0)
    name = value(element, "name")
    level = _named_level(name)
    if level is None:
        level = outline(element.find(f"{W}pPr/{W}outlineLvl"), base.level)
    runs = element.find(f"{W}rPr")
    return Style(
        level=level,
        is_contents=base.is_contents or bool(_CONTENTS.fullmatch(name)),
        numbering=value(element, "pPr/numPr/numId") or base.numbering,
        depth=value(element, "pPr/numPr/ilvl") or base.depth,
        hiding=hidden_by(runs, base.hiding),
        font=font_of(runs) or base.font,
    )


def hidden_by(runs: etree._Element | None, otherwise: frozenset[str]) -> frozenset[str]:
    """Return by what the properties of a run hide it, where they do not say otherwise."""
    if runs is None:
        return otherwise
    marks = {mark.tag: is_on(mark) for mark in runs.iterchildren(*HIDING)}
    return frozenset(name for name in HIDING if marks.get(name, name in otherwise))


def outline(own: etree._Element | None, otherwise: int) -> int:
    """Return the level of a heading that an outline level gives, 0 for text."""
    if own is None:
        return otherwise
    level = number(attribute(own), OUTLINE)
    return level + 1 if level < OUTLINE else 0


def font_of(properties: etree._Element | None) -> str:
    """Return the font that properties name, in small letters."""
    fonts = properties.find(f"{W}rFonts") if properties is not None else None
    if fonts is None:
        return ""
    return (fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi") or "").lower()


def _named_level(name: str) -> int | None:
    heading = _HEADING.fullmatch(name)
    return int(heading[1] or 1) if heading else None
