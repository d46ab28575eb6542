"""Data that the checks compare: numbered lines, the statements that cite them, the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property

from chat.checking.figures import Figure
from chat.checking.knowledge import Knowledge, key_of
from retrieval.passage import Page
from taxonomy.language.dictionary import likely_languages
from zol.text import word_set, words


@dataclass(frozen=True, slots=True)
class Citation:
    """A source of an answer, as shown to patients; each document has one number."""

    n: int
    title: str
    url: str
    #: Quoted or paraphrased text of the page; empty for texts of the product.
    passage: str = ""
    #: Page number in a PDF; 0 for a web page.
    page: int = 0
    document_id: int = 0
    #: The chunk whose viewer shows the passage; 0 for a taxonomy fact.
    chunk_id: int = 0
    language: str = ""
    #: Further chunks of the document that were quoted.
    also: tuple[int, ...] = ()
    #: Date of the page's last change (ISO 8601); empty if unknown.
    updated_on: str = ""
    #: Approved translation of the passage, if the answer shows one.
    translated: str = ""
    #: Fragment of the web page's section.
    anchor: str = ""

    @classmethod
    def of_page(cls, page: Page, n: int = 0) -> Citation:
        """Return the citation of a page as a whole."""
        return cls(
            n, page.title, page.url, document_id=page.document_id, chunk_id=page.chunk_id,
            language=page.language, updated_on=iso(page.updated_on),
        )  # fmt: skip


def iso(day: date | None) -> str:
    return day.isoformat() if day else ""


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
    """The role of a line of published data (source 1 of the evidence)."""

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
    def full_text(self) -> str:
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
        """Return the lines with these ids, in this order, each once; ignore unknown ids."""
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
    #: Names a part of the question that the pages do not answer; cites no lines, text optional.
    MISSING = "missing"
    #: Marks the answer as only close to the question; has no text.
    NEAR = "near"


#: Fault of an unreadable reply.
UNREADABLE = "It was no JSON object of the given shape."


@dataclass(frozen=True, slots=True)
class Claim:
    """One unchecked statement of an engine, with the ids of the lines that it cites."""

    text: str
    lines: tuple[str, ...] = ()
    form: Form = Form.SENTENCE


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason for rejecting a statement."""

    check: str
    detail: str


@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """The parts of a question that statements are checked against."""

    question: str = ""
    #: The visitor's questions: their own statements may be repeated.
    texts: tuple[str, ...] = ()
    #: Language of the answer.
    language: str = "nl"
    #: The second language of an answer in two.
    others: tuple[str, ...] = ()
    #: Whether code detects a request for advice, so that every statement counts as risky.
    is_risky: bool = False
    #: The days and times asked about, as texts in the answer's language.
    moments: tuple[str, ...] = ()
    today: date | None = None

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.question, *self.texts)))

    def answered_by(self, text: str) -> CheckedQuestion:
        """Return this question with the language of one statement of a bilingual answer."""
        if not self.others:
            return self
        likely = likely_languages(words(text))
        languages = (code for code in (self.language, *self.others) if code in likely)
        return replace(self, language=next(languages, self.language))


@dataclass(frozen=True)
class CitedClaim:
    """A claim with the lines that it cites. Immutable; derived values are cached."""

    claim: Claim
    #: Its text without clauses that need no line.
    text: str
    lines: tuple[Line, ...]
    evidence: NumberedEvidence
    asked: CheckedQuestion
    known: Knowledge

    @property
    def language(self) -> str:
        return self.asked.language

    @cached_property
    def line_texts(self) -> tuple[tuple[str, str], ...]:
        """Return its lines with their headings, and the titles of their pages, each with its
        language."""
        titles = [(self.evidence.source_of(line).citation.title, line) for line in self.lines]
        return (
            *((line.full_text, line.language) for line in self.lines),
            *dict.fromkeys((title, line.language) for title, line in titles if title),
        )

    @cached_property
    def sources(self) -> tuple[tuple[str, str], ...]:
        """Return all texts that may support it, each with its language: its lines, the current
        state and the question."""
        return (
            *self.line_texts,
            *self.now,
            *((text, self.language) for text in self.asked.questions),
        )

    @cached_property
    def now(self) -> tuple[tuple[str, str], ...]:
        """Return the current state, and the days and times asked about, each with its language."""
        lines = self.evidence.by_id.values()
        moment = ((each.text, each.language) for each in lines if each.kind is LineKind.MOMENT)
        return (*moment, *((text, self.language) for text in self.asked.moments))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return words(self.text)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return self.known.figures.read(self.text, self.language)

    @cached_property
    def line_figures(self) -> tuple[Figure, ...]:
        return self.figures_in(self.line_texts)

    @cached_property
    def asked_figures(self) -> tuple[Figure, ...]:
        return self.figures_in((text, self.language) for text in self.asked.questions)

    def figures_in(self, texts: Iterable[tuple[str, str]]) -> tuple[Figure, ...]:
        read = self.known.figures.read
        return tuple(figure for text, language in texts for figure in read(text, language))

    @cached_property
    def line_words(self) -> frozenset[str]:
        """Return the folded words of its lines."""
        return frozenset().union(*(word_set(text) for text, _ in self.line_texts))

    @cached_property
    def asked_words(self) -> frozenset[str]:
        return frozenset().union(*map(word_set, self.asked.questions))

    @cached_property
    def named(self) -> frozenset[str]:
        """Return the keys of the departments and doctors that it names."""
        return frozenset(self.known.named(self.words))

    @cached_property
    def named_in_lines(self) -> frozenset[str]:
        """Return the keys of the entities that its lines name or describe."""
        owners = {owner for line in self.lines for owner in line.owners}
        return frozenset(
            owners.union(*(self.known.named(words(text)) for text, _ in self.line_texts))
        )

    def campuses_in(self, *texts: str) -> frozenset[str]:
        found = (self.known.campuses.find(words(text)) for text in texts)
        return frozenset(key_of(each.meaning) for matches in found for each in matches)
