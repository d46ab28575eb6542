"""A page as extraction reads it, line by line, and what it may give reason for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from taxonomy.kinds import Kind, Predicate
from taxonomy.vocabulary import Thing
from zol.text import names_columns, sentences

#: The kind of entity that pages of a category are about; the categories are the pack's format.
KIND_OF_PAGE = {
    "Department": Kind.DEPARTMENT,
    "Doctor": Kind.DOCTOR,
    "Condition": Kind.CONDITION,
    "Treatment": Kind.TREATMENT,
    "Examination": Kind.EXAMINATION,
}


@dataclass(frozen=True, slots=True)
class PagePassage:
    """A piece of a page under its heading."""

    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    path: str
    url: str
    title: str
    category: str
    language: str
    passages: tuple[PagePassage, ...] = ()

    @property
    def kind(self) -> Kind | None:
        return KIND_OF_PAGE.get(self.category)


class ProposalRefusal(StrEnum):
    """Why something on a page is no reason to propose anything."""

    OTHER_DEPARTMENT = "the sentence names another department"
    DENIED = "the sentence takes it back"
    ELSEWHERE = "another department is responsible for it"
    OTHER_SPECIALTY = "it belongs to another specialty"
    WARD = "a ward is no department of its own"
    NO_NAME = "it is not the name of a person"
    NO_SUBJECT = "the name says nothing but “department”"
    TAKEN = "the word means something else already"
    HIDDEN = "staff have hidden it"


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation that comes with a new entity, which is its subject."""

    predicate: Predicate
    target: Thing


@dataclass(frozen=True, slots=True)
class EntityCandidate:
    kind: Kind
    name: str
    language: str
    sentence: str = field(compare=False)
    fields: tuple[tuple[str, str], ...] = ()
    ties: tuple[Tie, ...] = ()
    #: What is there already and is called nearly so.
    similar: Thing | None = None


@dataclass(frozen=True, slots=True)
class AliasCandidate:
    thing: Thing
    text: str
    language: str
    sentence: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class RelationCandidate:
    subject: Thing
    predicate: Predicate
    object: Thing
    sentence: str = field(compare=False)


Candidate = EntityCandidate | AliasCandidate | RelationCandidate


@dataclass(frozen=True, slots=True)
class Reading:
    """What one page gave."""

    candidates: tuple[Candidate, ...] = ()
    refused: Counter[ProposalRefusal] = field(default_factory=Counter)

    @classmethod
    def of(cls, found: Iterable[Candidate | ProposalRefusal]) -> Reading:
        """Sort what rules found into reasons and refusals; nothing is proposed twice."""
        candidates: dict[Candidate, None] = {}
        refused: Counter[ProposalRefusal] = Counter()
        for each in found:
            if isinstance(each, ProposalRefusal):
                refused[each] += 1
            else:
                candidates.setdefault(each)
        return cls(tuple(candidates), refused)


#: Before a heading within a passage.
HEADING = "## "
#: Words of a line that is the label of the line after it.
LABEL = 3


class Line(NamedTuple):
    text: str
    section: str
    #: The line before it, such as the label of a list of properties.
    before: str = ""


def lines_of(passage: PagePassage) -> Iterator[Line]:
    """Yield the lines of a passage under the heading that each stands under."""
    section, before = passage.section, ""
    for text in passage.text.split("\n"):
        if text.startswith(HEADING):
            section, before = text[len(HEADING) :].strip(), ""
        elif text.strip() and not names_columns(text):
            yield Line(text.strip(), section, before)
            before = text.strip()


def statements_of(page: Page) -> Iterator[tuple[str, str]]:
    """Yield every sentence, and the words that announce it: its heading and label."""
    for passage in page.passages:
        for line in lines_of(passage):
            for sentence in sentences(line.text):
                label = line.before if len(line.before.split()) <= LABEL else ""
                yield sentence, f"{line.section} {label}".strip()
