"""Numbers of lists, which Word counts when it shows a document and does not write."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from lxml import etree

from retrieval.ingestion.read.blocks import BULLET
from retrieval.ingestion.read.word.package import W, WordStyles, is_on, number, value

_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
#: Letters of what stands before an item.
_LONGEST_TEXT = 40
#: Up to which numbers are written in letters.
_MOST_ROMAN, _MOST_LETTERS = 3999, 26 * 8


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    form: str
    #: What stands before an item, with "%1" where the number of the first level comes.
    text: str
    #: Levels above, from the top, after which it begins anew.
    restart: int
    #: The style whose paragraphs are on this level.
    style: str
    is_legal: bool


class Numbering:
    """The lists of a document, each counted on as its items are met."""

    def __init__(self, part: etree._Element | None, styles: WordStyles) -> None:
        root = etree.Element("none") if part is None else part
        self._styles = styles
        self._lists = {each.get(f"{W}numId", ""): each for each in root.iter(f"{W}num")}
        self._definitions = {
            each.get(f"{W}abstractNumId", ""): each for each in root.iter(f"{W}abstractNum")
        }
        #: Of each definition, which lists may share, how far each level has counted.
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._begun: dict[str, tuple[dict[int, _Level], dict[int, int]]] = {}

    def mark(self, identifier: str, depth: str, style: str) -> str:
        """Count an item of a list, and return what stands before it."""
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
        """Return the definition of a list, also where that only names a style of lists."""
        name = value(self._lists[identifier], "abstractNumId")
        linked = value(self._definitions.get(name), "numStyleLink")
        of_style = self._lists.get(self._styles[linked].numbering)
        return name if of_style is None else value(of_style, "abstractNumId")

    def _begin(self, identifier: str) -> tuple[dict[int, _Level], dict[int, int]]:
        """Return the levels of a list and their counts; those that it begins anew are cleared."""
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
        form = str if levels[at].is_legal else _FORMS.get(level.form, str)
        return form(counts.get(int(place[1]) - 1, level.start))

    text = _PLACE.sub(written, levels[at].text).strip()
    return f"{text} " if text else ""


def _letters(count: int) -> str:
    """Return a, b, … z, aa, bb, …"""
    if not 1 <= count <= _MOST_LETTERS:
        return str(count)
    return chr(ord("a") + (count - 1) % 26) * (1 + (count - 1) // 26)


def _roman(count: int) -> str:
    if not 1 <= count <= _MOST_ROMAN:
        return str(count)
    written = ""
    for size, letters in _ROMAN:
        written += letters * (count // size)
        count %= size
    return written


_FORMS: Mapping[str, Callable[[int], str]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda count: _letters(count).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda count: _roman(count).upper(),
    "decimalZero": lambda count: f"{count:02}",
    "none": lambda _: "",
}
