"""Evidence and claims: numbered lines, and statements that cite them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from chat.turn import Citation


class LineKind(StrEnum):
    """The kind of a line; rows and facts are never split."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    #: From the published taxonomy and its facts.
    FACT = "fact"
    #: The current state: the date, and whether a desk is open. Answers that cite it are not cached.
    MOMENT = "moment"


class Role(StrEnum):
    """The role of a line of source 1."""

    #: The published fact that answers.
    FACT = "fact"
    #: The taxonomy's answer.
    ANSWER = "answer"
    #: Another published fact about a named entity or a need.
    FURTHER = "further"
    CURATED = "curated"
    #: Contact data of a place, its visiting hours, and whether it is open.
    DESK = "desk"
    VISITING = "visiting"
    NOW = "now"
    DAY = "day"
    #: Contact data of the hospital.
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Line:
    """A citable sentence, list item, row or fact; at most 300 letters."""

    #: Source and position: "2.14".
    id: str
    #: Text for model and patient; a row is "head: cell; head: cell".
    text: str
    #: Headings, caption and opening above it, outermost first, separated by " › ".
    above: str = ""
    language: str = "nl"
    kind: LineKind = LineKind.SENTENCE
    chunk_id: int = 0
    #: Keys ("department:cardiologie") of the entities that it describes; empty for a page's line.
    owners: tuple[str, ...] = ()
    #: Head and cell of each column of a row, for printing it as a table.
    cells: tuple[tuple[str, str], ...] = ()
    #: Marker of a list item: "3." or "-".
    mark: str = ""
    #: Role of a line of source 1; None for a page's line.
    role: Role | None = None
    #: Supporting page of a line of source 1, if any.
    page: Citation | None = None
    #: The page's original text, if this is an approved translation.
    original: str = ""

    @property
    def told(self) -> str:
        """Return the line with everything above it, as the checks read it."""
        return f"{self.above} › {self.text}" if self.above else self.text


@dataclass(frozen=True, slots=True)
class Source:
    """A page, or published data with the current state, as numbered lines."""

    citation: Citation
    lines: tuple[Line, ...]
    #: Kind of its page ("Examination"), shown after the title; empty for source 1.
    kind: str = ""

    @property
    def n(self) -> int:
        return self.citation.n


@dataclass(frozen=True)
class NumberedEvidence:
    """The complete evidence of an answer."""

    sources: tuple[Source, ...] = ()
    #: Titles of pages beyond the budget, weakest first; for the trace.
    left_out: tuple[str, ...] = ()
    tokens: int = 0

    @cached_property
    def by_id(self) -> Mapping[str, Line]:
        return {line.id: line for source in self.sources for line in source.lines}

    @cached_property
    def by_number(self) -> Mapping[int, Source]:
        return {source.n: source for source in self.sources}

    def lines(self, ids: Iterable[str]) -> tuple[Line, ...]:
        """Return the lines of these ids in this order, each once; unknown ids are ignored."""
        known = (self.by_id.get(each) for each in dict.fromkeys(ids))
        return tuple(line for line in known if line is not None)

    def source_of(self, line: Line) -> Source:
        return self.by_number[int(line.id.partition(".")[0])]


class Form(StrEnum):
    """The form of a statement in the answer."""

    SENTENCE = "sentence"
    ITEM = "item"
    #: Its lines are printed verbatim; its text is ignored.
    SHOW = "show"
    #: The pages of its lines are named, for further reading.
    PAGE = "page"
    #: Something asked that the pages do not contain; the text may be empty, and no lines are cited.
    MISSING = "missing"
    #: The shown lines only come close to the question; no text.
    NEAR = "near"


#: Fault of an unreadable reply.
UNREADABLE = "It was no JSON object of the given shape."


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an engine: the ids of its lines, then its text.

    Unchecked; ranges are expanded. Without lines only standing phrases are allowed.
    """

    text: str
    lines: tuple[str, ...] = ()
    form: Form = Form.SENTENCE


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason for rejecting a statement."""

    check: str
    detail: str
