"""Reduce a Word document to its visible content: plain paragraphs, tables, runs and formulas.

Word stores text that was struck out, hidden, deleted or moved, wraps content in controls, stores
text boxes twice, and symbols as their number in a font.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from unicodedata import normalize

from lxml import etree

from retrieval.reading.visible import raised
from retrieval.reading.word.package import (
    HIDING,
    MATH,
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
#: Elements read inside a run besides its text.
_SIGNS = {
    f"{W}tab": " ", f"{W}ptab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-",
}  # fmt: skip
_P, _R, _T = f"{W}p", f"{W}r", f"{W}t"
#: Supported drawing namespaces; other requirements are unknown.
_KNOWN = "http://schemas.microsoft.com/office/"
_INITIALS = {"drop", "margin"}
_CODE = re.compile("[0-9A-Fa-f]{1,4}")


def only_visible(root: etree._Element, styles: WordStyles) -> None:
    """Reduce a part of the package to its visible content."""
    _choose_branches(root)
    _drop_deleted(root, styles)
    _drop_instructions(root)
    etree.strip_tags(root, *_WRAPPERS)
    _write_formulas(root)
    _write_runs(root, styles)
    _free_boxes(root)


def _choose_branches(root: etree._Element) -> None:
    """Keep one of the alternative branches for newer and older programs."""
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


def _write_runs(root: etree._Element, styles: WordStyles) -> None:
    """Drop struck-out and hidden runs; replace symbols by characters and mark superscripts."""
    for sign in root.iter(f"{W}sym", *_SIGNS):
        if sign.tag == f"{W}sym":
            symbol = in_font(_character(sign), (sign.get(f"{W}font") or "").lower())
        else:
            symbol = _SIGNS[sign.tag]
        parent = sign.getparent()
        if parent is not None and parent.tag == _R:
            sign.tag, sign.text = _T, symbol
    for run in dict.fromkeys(_special_runs(root, styles)):
        own = properties(run, f"{W}rPr")
        paragraph = next(run.iterancestors(_P), None)
        around = properties(paragraph, f"{W}pPr") if paragraph is not None else None
        in_paragraph, named = styles[value(around, "pStyle")], styles[value(own, "rStyle")]
        # Word toggles the property if both the paragraph's and the run's style set it.
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


M = f"{{{MATH}}}"
_POWERS = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
#: Letters of formulas, such as a bold italic "a".
_STYLED = re.compile("[\U0001d400-\U0001d7ff]")
#: A sign for which a part of a fraction needs brackets.
_COMPOUND = re.compile(r"(?<=.)[^\w.,°µ]")
#: Separators of an element's parts, and elements whose parts are put in brackets.
_BETWEEN = {"f": " / ", "m": "; ", "eqArr": "; ", "mr": ", ", "func": " ", "nary": " "}
_GROUPED = {"f", "rad"}
#: The signs around an element, by the names of their settings.
_AROUND = {
    "d": ("begChr", "(", "endChr", ")"),
    "nary": ("chr", "∫", "", ""),
    "rad": ("", "√", "", ""),
}


def _write_formulas(root: etree._Element) -> None:
    """Replace each formula (OMML) by a run with its text on one line: "gewicht / lengte²"."""
    for formula in list(root.iter(f"{M}oMath")):
        text = _STYLED.sub(lambda sign: normalize("NFKC", sign[0]), _linear(formula))
        formula[:] = []
        formula.tag = f"{W}r"
        etree.SubElement(formula, f"{W}t").text = text
    for paragraph in list(root.iter(f"{M}oMathPara")):
        if paragraph.getparent().tag != f"{W}p":
            paragraph.tag = f"{W}p"


def _linear(element: etree._Element) -> str:
    """Return the text of a part of a formula."""
    name = etree.QName(element).localname
    if name == "t":
        return element.text or ""
    inner = (each for each in element.iterchildren(etree.Element) if not each.tag.endswith("Pr"))
    parts = [*filter(None, map(_linear, inner))]
    if name in _GROUPED:
        parts = [*map(_grouped, parts)]
    if name in {"sSup", "sSubSup"} and parts:
        parts[-1] = _power("".join(parts[:-1]), parts[-1])
    opens, first, closes, last = _AROUND.get(name, ("",) * 4)
    before, after = _setting(element, opens, first), _setting(element, closes, last)
    return before + _BETWEEN.get(name, "").join(parts) + after


def _grouped(text: str) -> str:
    is_closed = text.startswith("(") and text.endswith(")")
    return f"({text})" if _COMPOUND.search(text.strip()) and not is_closed else text.strip()


def _power(base: str, exponent: str) -> str:
    """Return an exponent in superscript figures; after "^" behind a figure, where these could be
    read as a note."""
    small = exponent.translate(_POWERS)
    is_small = not base[-1:].isdigit() and not any(sign.isascii() for sign in small)
    return small if is_small else f"^{_grouped(exponent)}"


def _setting(element: etree._Element, name: str, otherwise: str) -> str:
    found = element.find(f"./*/{M}{name}") if name else None
    return otherwise if found is None else found.get(f"{M}val", "")
