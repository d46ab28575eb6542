"""The names of WordprocessingML, and its values as they may be read from anybody's file."""

from __future__ import annotations

from functools import cache

from lxml import etree

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
