"""A part of a document as its readers see it: plain paragraphs, tables and runs.

Word keeps what was struck out, hidden, deleted or moved away; it wraps what stands in a control,
writes a box twice, and a sign as the number that it has in a font. None of that is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from retrieval.ingestion.read.visible import raised
from retrieval.ingestion.read.word.package import (
    HIDING,
    MC,
    W,
    WordStyles,
    attribute,
    font_of,
    hidden_by,
    in_font,
    is_on,
    properties,
    signs,
    value,
)

_DELETED = (f"{W}del", f"{W}moveFrom")
_WRAPPERS = (
    *(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")),
    *(f"{MC}{name}" for name in ("AlternateContent", "Choice", "Fallback")),
)
#: What is read inside a run besides its text.
_SIGNS = {
    f"{W}tab": " ", f"{W}ptab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-",
}  # fmt: skip
_P, _R, _T = f"{W}p", f"{W}r", f"{W}t"
#: Drawings of these makers are read; what else a document may require is unknown.
_KNOWN = "http://schemas.microsoft.com/office/"
_INITIALS = {"drop", "margin"}
_CODE = re.compile("[0-9A-Fa-f]{1,4}")


def settle(root: etree._Element, styles: WordStyles) -> None:
    """Leave of a part what is seen."""
    _choose_branches(root)
    _drop_deleted(root, styles)
    _drop_instructions(root)
    etree.strip_tags(root, *_WRAPPERS)
    _settle_runs(root, styles)
    _free_boxes(root)


def _choose_branches(root: etree._Element) -> None:
    """Keep one branch of what is written for newer and for older programs."""
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
    """Drop what was deleted or moved away, empty placeholders, and the table of contents."""
    away, joined = [], []
    for mark in root.iter(*_DELETED, f"{W}cellDel", f"{W}hidden", f"{W}showingPlcHdr"):
        place, owner = _above(mark)
        if place in {f"{W}trPr", f"{W}tcPr", f"{W}sdtPr"} and is_on(mark):
            away.append(owner)
        elif place == f"{W}rPr" and owner.tag == f"{W}pPr":
            joined.append(owner.getparent())
    named = root.iter(f"{W}pStyle")
    away += [_above(mark)[1] for mark in named if styles[attribute(mark)].is_contents]
    frames = root.iter(f"{W}framePr")
    joined += [_above(frame)[1] for frame in frames if frame.get(f"{W}dropCap") in _INITIALS]
    for paragraph in reversed(joined):
        _join_with_next(paragraph)
    for element in away:
        _remove(element)
    etree.strip_elements(root, *_DELETED, with_tail=False)


def _above(mark: etree._Element) -> tuple[str, etree._Element]:
    """Return the name of what a mark stands in, and what that belongs to; else the root twice."""
    parents = [*islice(mark.iterancestors(), 2), mark.getroottree().getroot()]
    return parents[0].tag, parents[1] if len(parents) > 1 else parents[0]


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _join_with_next(paragraph: etree._Element | None) -> None:
    """Put a paragraph whose end was deleted, or a large initial, before what it belongs to."""
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
    """Drop the text of fields inside the instruction of another field; its result is kept."""
    #: How many fields are open, the first of them whose instruction goes on, and what stands in it.
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
    """Drop runs that are struck out or hidden, and write signs and raised figures as such."""
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
    """Give the runs that are more than their text."""
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
    """Put the paragraphs of each box behind the paragraph that it hangs on."""
    for box in reversed(list(root.iter(f"{W}txbxContent"))):
        host = next(box.iterancestors(_P), None)
        if host is not None:
            for child in reversed(box):
                host.addnext(child)
