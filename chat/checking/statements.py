"""An answer taken apart into the statements that are checked, and put together without some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from taxonomy.dictionary import likely_languages
from zol.text import words

_LINE = re.compile(r"^(?P<start>\s*(?:>\s*)?(?:[-*•]\s+|\d+[.)]\s+)?)(?P<said>.*)$")
#: A sentence ends at its full stop and the numbers of its sources behind it.
_END = re.compile(
    r"(?<=[.!?;·])(?<!\b[A-Z]\.)(?<!\b[Dd]r\.)(?<!\b[Pp]rof\.)((?:\s*\[\d+\])*)\s+"
    r"(?=[^\W\d_]|[\"“«(*])"
)
_MARK = re.compile(r"\[(\d+)\]")
_SPACED_MARK = re.compile(r"( *)\[(\d+)\]")
#: Begins the lines of a quotation.
QUOTED = "> "


@dataclass(frozen=True)
class Statement:
    """A sentence or list item of an answer, with the citations that bear it."""

    text: str
    #: Citations of a later sentence of the same paragraph, when it has none of its own.
    inherited: tuple[int, ...] = ()
    #: Of the answer; empty where its words are of any, and only digits are read as numbers.
    language: str = "nl"

    @cached_property
    def marks(self) -> tuple[int, ...]:
        return marks_in(self.text)

    @property
    def cited(self) -> tuple[int, ...]:
        return self.marks or self.inherited

    @cached_property
    def plain(self) -> str:
        return _MARK.sub("", self.text).strip()

    @cached_property
    def written_in(self) -> str:
        """The language of its words: the answer's, unless they are plainly of another."""
        likely = likely_languages(self.words) if self.language else ("",)
        return self.language if self.language in likely else likely[0]

    @cached_property
    def words(self) -> tuple[str, ...]:
        return words(self.plain)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a statement does not reach the patient."""

    check: str
    detail: str


def marks_in(text: str) -> tuple[int, ...]:
    """Return the numbers of sources in a text, in order, each once."""
    return tuple(dict.fromkeys(int(number) for number in _MARK.findall(text)))


def renumbered(text: str, numbers: dict[int, int]) -> str:
    """Return a text with other numbers of sources; one that has none is left out."""

    def new(found: re.Match[str]) -> str:
        number = numbers.get(int(found[2]))
        return f"{found[1]}[{number}]" if number else ""

    return _SPACED_MARK.sub(new, text)


def sentences(line: str) -> Iterator[str]:
    """Yield the sentences of a line, each with the numbers of its sources."""
    begin = 0
    for end in _END.finditer(line):
        yield line[begin : end.end(1)].strip()
        begin = end.end()
    yield line[begin:].strip()


def kept(answer: str, holds: Callable[[str], bool]) -> tuple[str, tuple[str, ...]]:
    """Return an answer without the sentences that do not hold, and these as they were judged.

    A sentence without a number of its own is judged with the next number of its paragraph; one
    that is quoted, with the sign of a quotation before it.
    """
    removed: list[str] = []
    lines = answer.split("\n")
    judged = (
        _kept_line(line, marks, holds, removed)
        for line, marks in zip(lines, _marks_below(lines), strict=True)
    )
    text = "\n".join(line for line in judged if line is not None)
    return re.sub(r"\n{3,}", "\n\n", text).strip() if removed else answer, tuple(removed)


def _marks_below(lines: list[str]) -> list[str]:
    """Return for each line the numbers of the next one of its paragraph that has any."""
    below, marks = [], ""
    for line in reversed(lines):
        below.append(marks)
        found = "".join(f" [{mark}]" for mark in _MARK.findall(line))
        marks = found or (marks if line.strip() else "")
    return below[::-1]


def _kept_line(
    line: str, below: str, holds: Callable[[str], bool], removed: list[str]
) -> str | None:
    found = _LINE.match(line)
    if found is None or not found["said"].strip():
        return line
    sign = QUOTED if QUOTED.strip() in found["start"] else ""
    said = list(sentences(found["said"]))
    judged = [sign + each + _mark_after(said, place, below) for place, each in enumerate(said)]
    bad = [each for each in judged if not holds(each)]
    if not bad:
        return line
    removed += bad
    good = [each for each, as_judged in zip(said, judged, strict=True) if as_judged not in bad]
    return found["start"] + " ".join(good) if good else None


def _mark_after(said: list[str], place: int, below: str) -> str:
    """Return the number that the sentences of a paragraph share, when one has none of its own."""
    for sentence in said[place:]:
        if marks := _MARK.findall(sentence):
            return "" if sentence is said[place] else "".join(f" [{mark}]" for mark in marks)
    return below
