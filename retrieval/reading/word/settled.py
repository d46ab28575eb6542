"""Reduce a Word document to what readers see: plain paragraphs, tables, runs and list numbers.

Word keeps text that was struck out, hidden, deleted or moved, wraps content in controls, stores a
box twice and a symbol as its number in a font, and numbers lists only on display.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from lxml import etree

from retrieval.reading.blocks import BULLET, counted
from retrieval.reading.visible import raised
from retrieval.reading.word import formulas
from retrieval.reading.word.package import (
    HIDING,
    MC,
    W,
    WordStyles,
    attribute,
    font_of,
    hidden_by,
    in_font,
    is_on,
    number,
    properties,
    signs,
    value,
)

_PLACE = re.compile(r"%([1-9])")
#: Longest item label in letters.
_LONGEST_TEXT = 40


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    form: str
    #: Label pattern, with "%1" for the first level's number.
    text: str
    #: Number of upper levels that restart it.
    restart: int
    #: Paragraph style of this level.
    style: str
    is_legal: bool


class Numbering:
    """The lists of a document, each counted as its items are met."""

    def __init__(self, part: etree._Element | None, styles: WordStyles) -> None:
        root = etree.Element("none") if part is None else part
        self._styles = styles
        self._lists = {each.get(f"{W}numId", ""): each for each in root.iter(f"{W}num")}
        self._definitions = {
            each.get(f"{W}abstractNumId", ""): each for each in root.iter(f"{W}abstractNum")
        }
        #: Counters by definition, which lists may share.
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._begun: dict[str, tuple[dict[int, _Level], dict[int, int]]] = {}

    def mark(self, identifier: str, depth: str, style: str) -> str:
        """Count a list item, and return its label."""
        if identifier not in self._lists:
            return ""
        if identifier not in self._begun:
            self._begun[identifier] = self._begin(identifier)
        levels, counts = self._begun[identifier]
        at = number(depth) if depth else _of_style(levels, style)
        if at not in levels:
            return ""
        for deeper in [each for each in counts if each > at]:
            if deeper not in levels or at < levels[deeper].restart:
                del counts[deeper]
        counts[at] = counts[at] + 1 if at in counts else levels[at].start
        return _mark(levels, at, counts)

    def _definition(self, identifier: str) -> str:
        """Return the definition of a list, resolving links to list styles."""
        name = value(self._lists[identifier], "abstractNumId")
        linked = value(self._definitions.get(name), "numStyleLink")
        of_style = self._lists.get(self._styles[linked].numbering)
        return name if of_style is None else value(of_style, "abstractNumId")

    def _begin(self, identifier: str) -> tuple[dict[int, _Level], dict[int, int]]:
        """Return a list's levels and counters; clear those that it restarts."""
        definition = self._definition(identifier)
        element, counts = self._definitions.get(definition), self._counts[definition]
        levels = dict(_levels(element)) if element is not None else {}
        for override in self._lists[identifier].iter(f"{W}lvlOverride"):
            levels.update(_levels(override))
            at = number(override.get(f"{W}ilvl", ""))
            start = value(override, "startOverride")
            if start and at in levels:
                levels[at] = replace(levels[at], start=number(start, 1))
                counts.pop(at, None)
        return levels, counts


def _levels(parent: etree._Element) -> Iterator[tuple[int, _Level]]:
    for element in parent.iter(f"{W}lvl"):
        at = number(element.get(f"{W}ilvl", ""))
        legal = element.find(f"{W}isLgl")
        yield (
            at,
            _Level(
                start=number(value(element, "start"), 1),
                form=value(element, "numFmt"),
                text=value(element, "lvlText")[:_LONGEST_TEXT],
                restart=number(value(element, "lvlRestart"), at),
                style=value(element, "pStyle"),
                is_legal=legal is not None and is_on(legal),
            ),
        )


def _of_style(levels: Mapping[int, _Level], style: str) -> int:
    linked = (at for at, level in levels.items() if style and level.style == style)
    return next(linked, 0)


def _mark(levels: Mapping[int, _Level], at: int, counts: Mapping[int, int]) -> str:
    if levels[at].form == "bullet":
        return BULLET

    def written(place: re.Match[str]) -> str:
        level = levels.get(int(place[1]) - 1)
        if level is None:
            return ""
        count = counts.get(int(place[1]) - 1, level.start)
        match "decimal" if levels[at].is_legal else level.form:
            case "none":
                return ""
            case "decimalZero":
                return f"{count:02}"
            case form:
                return counted(count, form)

    text = _PLACE.sub(written, levels[at].text).strip()
    return f"{text} " if text else ""


_DELETED = (f"{W}del", f"{W}moveFrom")
_WRAPPERS = (
    *(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")),
    *(f"{MC}{name}" for name in ("AlternateContent", "Choice", "Fallback")),
)
#: Elements read inside a run besides its text.
_SIGNS = {
    f"{W}tab": " ", f"{W}ptab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-",
}  # fmt: skip
_P, _R, _T = f"{W}p", f"{W}r", f"{W}t"
#: Supported drawing namespaces; other requirements are unknown.
_KNOWN = "http://schemas.microsoft.com/office/"
_INITIALS = {"drop", "margin"}
_CODE = re.compile("[0-9A-Fa-f]{1,4}")


def settle(root: etree._Element, styles: WordStyles) -> None:
    """Reduce a part to what is visible."""
    _choose_branches(root)
    _drop_deleted(root, styles)
    _drop_instructions(root)
    etree.strip_tags(root, *_WRAPPERS)
    formulas.write_out(root)
    _settle_runs(root, styles)
    _free_boxes(root)


def _choose_branches(root: etree._Element) -> None:
    """Keep one of the branches for newer and older programs."""
    for alternatives in list(root.iter(f"{MC}AlternateContent")):
        branches = sorted(alternatives, key=lambda branch: not _is_understood(branch))
        shown = (each for each in branches if next(each.iter(_T, f"{W}sym"), None) is not None)
        chosen = next(shown, None)
        for branch in list(alternatives):
            if branch is not chosen:
                alternatives.remove(branch)


def _is_understood(branch: etree._Element) -> bool:
    required = (branch.get("Requires") or "").split()
    return all((branch.nsmap.get(prefix) or "").startswith(_KNOWN) for prefix in required)


def _drop_deleted(root: etree._Element, styles: WordStyles) -> None:
    """Drop deleted and moved text, empty placeholders, and the table of contents."""
    away, joined = [], []
    for mark in root.iter(*_DELETED, f"{W}cellDel", f"{W}hidden", f"{W}showingPlcHdr"):
        place, owner = _above(mark)
        if place in {f"{W}trPr", f"{W}tcPr", f"{W}sdtPr"} and is_on(mark):
            away.append(owner)
        elif place == f"{W}rPr" and owner.tag == f"{W}pPr":
            joined.append(owner.getparent())
    named = root.iter(f"{W}pStyle")
    away += [_above(mark)[1] for mark in named if styles[attribute(mark)].is_contents]
    for gallery in root.iter(f"{W}docPartGallery"):
        if attribute(gallery) == "Table of Contents":
            away += islice(gallery.iterancestors(f"{W}sdt"), 1)
    frames = root.iter(f"{W}framePr")
    joined += [_above(frame)[1] for frame in frames if frame.get(f"{W}dropCap") in _INITIALS]
    for paragraph in reversed(joined):
        _join_with_next(paragraph)
    for element in away:
        _remove(element)
    etree.strip_elements(root, *_DELETED, with_tail=False)


def _above(mark: etree._Element) -> tuple[str, etree._Element]:
    """Return a mark's parent tag and its grandparent; the root where there is none."""
    parents = [*islice(mark.iterancestors(), 2), mark.getroottree().getroot()]
    return parents[0].tag, parents[1] if len(parents) > 1 else parents[0]


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _join_with_next(paragraph: etree._Element | None) -> None:
    """Join a paragraph whose end was deleted, or a drop cap, with the next one."""
    siblings = (_P, f"{W}tbl", f"{W}sdt")
    following = next(paragraph.itersiblings(*siblings), None) if paragraph is not None else None
    if paragraph is None or following is None or following.tag != _P:
        return
    first = next(following.iterchildren(), None)
    at = int(first is not None and first.tag == f"{W}pPr")
    for child in reversed(paragraph):
        if child.tag != f"{W}pPr":
            following.insert(at, child)
    _remove(paragraph)


def _drop_instructions(root: etree._Element) -> None:
    """Drop nested fields inside a field's instruction; keep its result."""
    #: Open fields, the first with an open instruction, and its text.
    depth = instruction = 0
    pending: list[etree._Element] = []
    has_fields = next(root.iter(f"{W}fldChar"), None) is not None
    for element in list(root.iter(f"{W}fldChar", _T)) if has_fields else ():
        kind = element.get(f"{W}fldCharType")
        if element.tag == _T:
            pending += [element] * bool(instruction)
        elif kind == "begin":
            depth += 1
            instruction = instruction or depth
        elif depth:
            if instruction == depth:
                # Only now: an instruction without an end must not take the document.
                for text in pending:
                    _remove(text)
                instruction, pending = 0, []
            depth -= kind == "end"


def _settle_runs(root: etree._Element, styles: WordStyles) -> None:
    """Drop struck-out or hidden runs, and write symbols and raised figures out."""
    for sign in root.iter(f"{W}sym", *_SIGNS):
        if sign.tag == f"{W}sym":
            said = in_font(_character(sign), (sign.get(f"{W}font") or "").lower())
        else:
            said = _SIGNS[sign.tag]
        parent = sign.getparent()
        if parent is not None and parent.tag == _R:
            sign.tag, sign.text = _T, said
    for run in dict.fromkeys(_special_runs(root, styles)):
        own = properties(run, f"{W}rPr")
        paragraph = next(run.iterancestors(_P), None)
        around = properties(paragraph, f"{W}pPr") if paragraph is not None else None
        in_paragraph, named = styles[value(around, "pStyle")], styles[value(own, "rStyle")]
        # A style of letters within a struck paragraph's style undoes it, as with bold.
        if hidden_by(own, in_paragraph.hiding ^ named.hiding):
            _remove(run)
            continue
        font = font_of(own) or named.font or in_paragraph.font
        is_raised = value(own, "vertAlign") == "superscript"
        for text in run.iter(_T):
            shown = in_font(text.text or "", font)
            text.text = raised(shown) if is_raised else shown


def _special_runs(root: etree._Element, styles: WordStyles) -> Iterator[etree._Element]:
    """Yield the runs with more than plain text."""
    if styles.change_runs:
        yield from root.iter(_R)
        return
    for mark in root.iter(*HIDING, f"{W}rFonts", f"{W}vertAlign"):
        own = mark.getparent()
        run = own.getparent() if own is not None else None
        is_plain = mark.tag == f"{W}rFonts" and font_of(own) not in signs()
        if run is not None and run.tag == _R and not is_plain:
            yield run


def _character(sign: etree._Element) -> str:
    code = sign.get(f"{W}char", "")
    return chr(int(code, 16)) if _CODE.fullmatch(code) else ""


def _free_boxes(root: etree._Element) -> None:
    """Move the paragraphs of each box behind its anchor paragraph."""
    for box in reversed(list(root.iter(f"{W}txbxContent"))):
        host = next(box.iterancestors(_P), None)
        if host is not None:
            for child in reversed(box):
                host.addnext(child)
