"""Formulas of Word (OMML) on one line: "gewicht / lengte²", "√(a + b)"."""

from __future__ import annotations

import re
from unicodedata import normalize

from lxml import etree

from retrieval.reading.word.package import MATH, W

M = f"{{{MATH}}}"
_POWERS = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
#: Letters of formulas, such as a bold italic "a".
_STYLED = re.compile("[\U0001d400-\U0001d7ff]")
#: What needs brackets as one part of a fraction.
_COMPOUND = re.compile(r"(?<=.)[^\w.,°µ]")
#: What stands between the parts of an element; parts in which are set in brackets.
_BETWEEN = {"f": " / ", "m": "; ", "eqArr": "; ", "mr": ", ", "func": " ", "nary": " "}
_GROUPED = {"f", "rad"}
#: The signs around an element, by the names of their settings.
_AROUND = {
    "d": ("begChr", "(", "endChr", ")"),
    "nary": ("chr", "∫", "", ""),
    "rad": ("", "√", "", ""),
}


def write_out(root: etree._Element) -> None:
    """Replace each formula of a part by a run with its text."""
    for formula in list(root.iter(f"{M}oMath")):
        said = _STYLED.sub(lambda sign: normalize("NFKC", sign[0]), _said(formula))
        formula[:] = []
        formula.tag = f"{W}r"
        etree.SubElement(formula, f"{W}t").text = said
    for paragraph in list(root.iter(f"{M}oMathPara")):
        if paragraph.getparent().tag != f"{W}p":
            paragraph.tag = f"{W}p"


def _said(element: etree._Element) -> str:
    """Return the text of a part of a formula."""
    name = etree.QName(element).localname
    if name == "t":
        return element.text or ""
    inner = (each for each in element.iterchildren(etree.Element) if not each.tag.endswith("Pr"))
    parts = [*filter(None, map(_said, inner))]
    if name in _GROUPED:
        parts = [*map(_grouped, parts)]
    if name in {"sSup", "sSubSup"} and parts:
        parts[-1] = _power("".join(parts[:-1]), parts[-1])
    opens, first, closes, last = _AROUND.get(name, ("",) * 4)
    before, after = _setting(element, opens, first), _setting(element, closes, last)
    return before + _BETWEEN.get(name, "").join(parts) + after


def _grouped(said: str) -> str:
    is_closed = said.startswith("(") and said.endswith(")")
    return f"({said})" if _COMPOUND.search(said.strip()) and not is_closed else said.strip()


def _power(base: str, said: str) -> str:
    """Return a power in small figures, or after a sign where those would mark a note."""
    small = said.translate(_POWERS)
    is_small = not base[-1:].isdigit() and not any(sign.isascii() for sign in small)
    return small if is_small else f"^{_grouped(said)}"


def _setting(element: etree._Element, name: str, otherwise: str) -> str:
    found = element.find(f"./*/{M}{name}") if name else None
    return otherwise if found is None else found.get(f"{M}val", "")
