"""Styles that a web page declares: whether elements are hidden, struck out, raised or boxes.

External style sheets are not fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import tinycss2
from cssselect import HTMLTranslator, SelectorError, parse
from lxml import etree, html

#: Properties that are read.
READ = frozenset({
    "display", "visibility", "opacity", "font-size", "text-indent", "left", "top", "clip", "color",
    "background", "background-color", "background-image", "text-decoration", "text-decoration-line",
    "vertical-align", "flex-direction", "grid-template-columns", "float", "unicode-bidi",
    "direction", "list-style-type",
})  # fmt: skip
#: Values of `display` and `float` of boxes side by side.
BESIDE = {"inline-block", "inline-flex", "inline-grid", "inline-table", "table-cell"}
FLOATS = {"left", "right"}
#: Most letters of style sheets, and most selectors, that are read.
MOST_LETTERS, MOST_SELECTORS = 500_000, 400
#: Deepest nesting of a sheet.
DEEPEST = 20
#: Media that apply to screens.
_SCREEN = re.compile(
    r"^\s*(?:only\s+)?(?:screen|all)?(?:\s*and\s*)?(?:\(\s*min-width\s*:[^)]*\))?\s*$",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[.#]([\w-]+)")
_PSEUDO = re.compile(r":(?!not\(|first-child|last-child|nth-child|root)")
#: Declarations, without spaces, that hide text.
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)"
    r"|font-size:(?:0(?![.\d])|0?\.\d+(?:px|pt)|0?\.[01]\d*r?em|[0-3](?:\.\d+)?p[xt])"
    r"|opacity:0(?:\.0\d*)?(?![.\d])|text-indent:-\d{3,}|(?<![\w-])(?:left|top):-\d{3,}|clip:rect\(0"
)
#: White text, which is hidden unless a background is set.
_WHITE = re.compile(r"(?<![-\w])color:(?:#fff(?:fff)?|white|rgb\(255,255,255\))(?![\w])")
_STRUCK = re.compile(r"text-decoration(?:-line)?:[^;]*line-through")
_HIGHER = re.compile(r"(?:text-)?top|(?:\d*\.)?\d+(?:px|pt|em|ex|rem|%)")


#: Specificity of an inline style.
INLINE = (1, 0, 0, 0)
#: Importance, specificity and position of a declaration.
_Rank = tuple[bool, tuple[int, ...], int]


class Styles:
    """The declared styles of a page's elements, in lower case."""

    def __init__(self, tree: html.HtmlElement) -> None:
        self._ranked: dict[etree._Element, dict[str, tuple[_Rank, str]]] = {}
        for place, (selected, weight, declared) in enumerate(_rules(tree)):
            for element in selected:
                self._declare(element, declared, weight, place)
        for element in tree.iter(etree.Element):
            if style := element.get("style"):
                self._declare(element, _declared(style), INLINE, 0)

    def _declare(
        self,
        element: etree._Element,
        declared: Mapping[str, tuple[str, bool]],
        weight: tuple[int, ...],
        place: int,
    ) -> None:
        """Keep the declaration of highest precedence for each property."""
        own = self._ranked.setdefault(element, {})
        for name, (value, is_important) in declared.items():
            rank = (is_important, weight, place)
            if name not in own or own[name][0] <= rank:
                own[name] = (rank, value)

    def value(self, element: etree._Element, name: str) -> str:
        """Return the declared value of a property; empty if none."""
        own = self._ranked.get(element)
        return own[name][1] if own and name in own else ""

    def sets_beside(self, element: etree._Element) -> bool:
        """Return whether an element is a box beside its siblings."""
        return self.value(element, "display") in BESIDE or self.value(element, "float") in FLOATS

    def hides(self, element: etree._Element) -> bool:
        """Return whether an element is hidden from visitors."""
        plain = self._plain(element)
        if not plain:
            return False
        return bool(_HIDING.search(plain)) or (
            bool(_WHITE.search(plain)) and not self._has_background(element)
        )

    def is_reversed(self, element: etree._Element) -> bool:
        """Return whether an element's letters are shown in reverse order."""
        is_override = self.value(element, "unicode-bidi") == "bidi-override"
        return is_override and self.value(element, "direction") == "rtl"

    def strikes(self, element: etree._Element) -> bool:
        return bool(_STRUCK.search(self._plain(element)))

    def raises(self, element: etree._Element) -> bool:
        """Return whether an element is superscript: raised and smaller."""
        value = self.value(element, "vertical-align")
        is_higher = bool(_HIGHER.match(value)) and bool(self.value(element, "font-size"))
        return (value == "super" or is_higher) and not self.value(element, "display")

    def _plain(self, element: etree._Element) -> str:
        own = self._ranked.get(element, {})
        declared = ";".join(f"{name}:{value}" for name, (_, value) in own.items())
        return declared.replace(" ", "")

    def _has_background(self, element: etree._Element) -> bool:
        return any(
            "background" in self._plain(each)
            for each in (element, *element.iterancestors())
            if each in self._ranked
        )


def _rules(
    tree: html.HtmlElement,
) -> Iterator[tuple[Iterable[etree._Element], tuple[int, ...], dict[str, tuple[str, bool]]]]:
    """Yield the elements that each selector chooses, its specificity and its declarations."""
    sheets = [
        element.text or ""
        for element in tree.iter("style")
        if _SCREEN.match(element.get("media") or "") and _is_closed(element.text or "")
    ]
    if not sheets:
        return
    written = " ".join(
        f"{element.get('class') or ''} {element.get('id') or ''}"
        for element in tree.iter(etree.Element)
    )
    names = set(written.split())
    to_path, left = HTMLTranslator(), MOST_SELECTORS
    for selectors, declared in _qualified("\n".join(sheets)[:MOST_LETTERS]):
        for one in selectors.split(","):
            if _PSEUDO.search(one) or not names.issuperset(_NAMES.findall(one)):
                continue
            left -= 1
            if left < 0:
                return
            try:
                (selector,) = parse(one)
                path = to_path.selector_to_xpath(selector)
                found = tree.xpath(path)
            except (SelectorError, ValueError, etree.XPathError):
                continue
            yield found, (0, *selector.specificity()), declared


def _is_closed(sheet: str) -> bool:
    """Return whether a sheet has few unclosed braces, on which the parser is slow."""
    return sheet.count("{") - sheet.count("}") <= DEEPEST


def _qualified(sheet: str) -> Iterator[tuple[str, dict[str, tuple[str, bool]]]]:
    """Yield the selectors and declarations of the rules that apply to screens."""
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule" and rule.lower_at_keyword in {"media", "supports", "layer"}:
            media = tinycss2.serialize(rule.prelude)
            if rule.content and (rule.lower_at_keyword != "media" or _SCREEN.match(media)):
                yield from _qualified(tinycss2.serialize(rule.content))
        elif rule.type == "qualified-rule" and (declared := _declared(rule.content)):
            yield tinycss2.serialize(rule.prelude).strip(), declared


def _declared(written: object) -> dict[str, tuple[str, bool]]:
    """Return the relevant declarations, and whether they are important."""
    if not written:
        return {}
    return {
        each.lower_name: (" ".join(tinycss2.serialize(each.value).lower().split()), each.important)
        for each in tinycss2.parse_declaration_list(
            written, skip_comments=True, skip_whitespace=True
        )
        if each.type == "declaration" and each.lower_name in READ
    }
