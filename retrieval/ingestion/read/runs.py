"""The text between two blocks of a page, whose parts are set apart as the page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.ingestion.read.blocks import Block, Sort, joined
from retrieval.ingestion.read.raised import raised

#: What sets words of a sentence in other letters, and no text apart.
WITHIN = frozenset(
    {"b", "big", "em", "font", "i", "ins", "mark", "small", "strong", "sub", "u", "wbr"}
)
#: Figures of minutes.
MINUTES = 2
_FIGURES = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")
_PARAGRAPHS = re.compile(r"\n *\n[\n ]*")


class Run:
    """Text that grows with the elements that it is read from."""

    def __init__(self, text: str | None = None) -> None:
        self._text: list[str] = []
        self._last = ""
        #: Elements that ended and began since the last letter.
        self._ended: str = ""
        self._begun: str = ""
        #: Letters since the last element began or ended.
        self._size = 0
        self.say(text)

    @property
    def ends_in_figure(self) -> bool:
        return self._last.isdecimal()

    def say(self, text: str | None) -> None:
        """Add text; what two elements say without a space between them is set apart."""
        if not text:
            return
        said = _SPACE.sub(" ", text)
        if self._is_apart(said):
            self._text.append(" ")
        self._size = 0 if self._ended or self._begun else self._size
        self._text.append(said)
        self._last, self._size = said[-1], self._size + len(said)
        self._ended = self._begun = ""

    def begin(self, tag: str) -> None:
        self._begun = tag

    def end(self, tag: str) -> None:
        self._ended, self._begun = tag, ""

    def part(self, by: str) -> None:
        """Set what comes apart from what was said."""
        self._text.append(by)
        self._last = self._ended = self._begun = ""
        self._size = 0

    def part_line(self) -> None:
        """Set what comes on a line of its own."""
        if "".join(self._text[-1:]).rstrip(" ")[-1:] != "\n":
            self.part("\n")

    def raise_(self, text: str) -> None:
        """Add what stands raised beside what was said."""
        self._text.append(raised(text))
        self._last = self._ended = self._begun = ""

    def paragraphs(self) -> Iterator[Block]:
        """Give the paragraphs, which an empty line separates."""
        for part in _PARAGRAPHS.split("".join(self._text)):
            if said := joined(part.split("\n")):
                yield Block(Sort.TEXT, said)

    def _is_apart(self, said: str) -> bool:
        first = said[0]
        if not (self._ended or self._begun) or not (self._last.isalnum() and first.isalnum()):
            return False
        if self._last.isdecimal() and first.isdecimal():
            return not self._is_one_number(said)
        if not (self._ended and self._begun) or {self._ended, self._begun} & WITHIN:
            return False
        # A single letter before others is the large one that a text begins with.
        return self._size > 1 or self._last.isdecimal() or first.isdecimal()

    def _is_one_number(self, said: str) -> bool:
        """Tell whether one figure alone in its element goes on: "<b>1</b>000", "5", "0".

        Minutes that are set apart from their hour only by how they look do not: "8", "30".
        """
        if self._size != 1 or not self._ended:
            return False
        figures = _FIGURES.match(said)[0]  # type: ignore[index]
        return len(figures) == 1 if self._begun else len(figures) != MINUTES or self._last == "0"
