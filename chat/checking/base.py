"""What an answer rests on and consists of: numbered lines, and statements that name their lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from chat.turn import Citation


class LineKind(StrEnum):
    """What a line is; a row, and a fact, cannot be cut further."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    #: Of the published taxonomy and its facts.
    FACT = "fact"
    #: What holds now: the date, and whether a desk is open. An answer that cites it is not kept.
    MOMENT = "moment"


class Role(StrEnum):
    """What a line of source 1 tells."""

    #: The published fact that answers.
    FACT = "fact"
    #: What the taxonomy answers.
    ANSWER = "answer"
    #: Another published fact of what is named or needed.
    FURTHER = "further"
    CURATED = "curated"
    #: How a place is reached, when visitors are welcome there, and whether it is open.
    DESK = "desk"
    VISITING = "visiting"
    NOW = "now"
    DAY = "day"
    #: How the hospital is reached.
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, list item, row or fact that a statement may rest on; at most 300 letters."""

    #: Of its source and its place there: "2.14".
    id: str
    #: As a model reads it and a patient is shown it; a row is "head: cell; head: cell".
    text: str
    #: Headings, caption and lead above it, outermost first, parted by " › ".
    above: str = ""
    language: str = "nl"
    kind: LineKind = LineKind.SENTENCE
    chunk_id: int = 0
    #: Keys ("department:cardiologie") of those whose data this is; empty for a page's line.
    owners: tuple[str, ...] = ()
    #: Head and cell of each column of a row, for printing it as a table.
    cells: tuple[tuple[str, str], ...] = ()
    #: What an item begins with on its page: "3." or "-".
    mark: str = ""
    #: What a line of source 1 tells; None for a page's line.
    role: Role | None = None
    #: The page that bears a line of source 1 out, if there is one.
    page: Citation | None = None
    #: The page's own words, where staff approved a translation of them.
    original: str = ""

    @property
    def told(self) -> str:
        """Return the line with all that stands above it: what a check reads."""
        return f"{self.above} › {self.text}" if self.above else self.text


@dataclass(frozen=True, slots=True)
class Source:
    """A page, or what the hospital has published and what holds now, in numbered lines."""

    citation: Citation
    lines: tuple[Line, ...]
    #: The kind of its page ("Examination"), which stands behind the title; none of source 1.
    kind: str = ""

    @property
    def n(self) -> int:
        return self.citation.n


@dataclass(frozen=True)
class NumberedEvidence:
    """All that an answer of a model may rest on."""

    sources: tuple[Source, ...] = ()
    #: Titles of what the budget left out, the weakest first; for the trace.
    left_out: tuple[str, ...] = ()
    tokens: int = 0

    @cached_property
    def by_id(self) -> Mapping[str, Line]:
        return {line.id: line for source in self.sources for line in source.lines}

    @cached_property
    def by_number(self) -> Mapping[int, Source]:
        return {source.n: source for source in self.sources}

    def lines(self, ids: Iterable[str]) -> tuple[Line, ...]:
        """Return the lines of these ids, in this order, each once; unknown ids are passed over."""
        known = (self.by_id.get(each) for each in dict.fromkeys(ids))
        return tuple(line for line in known if line is not None)

    def source_of(self, line: Line) -> Source:
        return self.by_number[int(line.id.partition(".")[0])]


class Form(StrEnum):
    """How a statement stands in the answer."""

    SENTENCE = "sentence"
    ITEM = "item"
    #: Its lines are printed by code; its text, if any, is not.
    SHOW = "show"
    #: The pages of its lines are named, to read on.
    PAGE = "page"
    #: What was asked and the pages do not say, which may have no words; it rests on nothing.
    MISSING = "missing"
    #: What was shown only comes close to what was asked; it has no words.
    NEAR = "near"


#: What was wrong with a reply of which nothing could be read.
UNREADABLE = "It was no JSON object of the given shape."


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer as an engine wrote it: the ids of its lines, then its words.

    Unchecked; a range of lines is spelled out. Without lines only standing words may be said.
    """

    text: str
    lines: tuple[str, ...] = ()
    form: Form = Form.SENTENCE


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a statement does not reach the patient."""

    check: str
    detail: str
