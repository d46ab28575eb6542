"""Curated answers and approved translations as plain values, with validation for forms and packs.

A translation covers the text under one heading of a chunk. It has the same sentences, items and
rows in the same order, so that an answer can quote any of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Any, NamedTuple

from retrieval.fields import HEADING, PATH
from retrieval.passage import Passage
from retrieval.statements import Line, lines
from taxonomy.facts import needs
from taxonomy.facts.records import FactConditions
from taxonomy.snapshot import Snapshot
from zol.languages import LANGUAGES
from zol.records.values import WrongValue
from zol.text import marked as _

#: Kind and key; without a kind, the whole hospital.
Ref = tuple[str, str]
#: Conditions that an answer may depend on.
CONDITIONS = frozenset(each.name for each in fields(FactConditions))
#: Next steps besides a department.
HELPDESK, EMERGENCY = "helpdesk", "emergency"
DEPARTMENT, CAMPUS = "department", "campus"
HOSPITAL: Ref = ("", "")
#: Minimum examples per language.
LEAST_EXAMPLES = 3
#: Maximum words of an answer.
LONGEST = 80


@dataclass(frozen=True, slots=True)
class CuratedAnswer:
    """An answer approved by staff for a need, a subject and conditions."""

    key: str
    need: str
    subject: Ref = HOSPITAL
    conditions: Mapping[str, Any] = field(default_factory=dict)
    #: Example questions, by language.
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answer: Mapping[str, str] = field(default_factory=dict)
    #: Addresses of its source pages.
    sources: tuple[str, ...] = ()
    #: "department:key", "helpdesk", "emergency" or nothing.
    next_step: str = ""
    valid_from: date | None = None
    valid_to: date | None = None

    @classmethod
    def frozen(cls, row: Mapping[str, Any]) -> CuratedAnswer:
        """Read an answer from a published row."""
        return cls(
            key=str(row["key"]),
            need=str(row["need"]),
            subject=(row["subject__kind"] or "", row["subject__key"] or ""),
            conditions=dict(row["conditions"]),
            examples={code: tuple(asked) for code, asked in row["examples"].items()},
            answer=dict(row["answer"]),
            sources=tuple(row["sources"]),
            next_step=str(row["next_step"]),
            valid_from=_day(row["valid_from"]),
            valid_to=_day(row["valid_to"]),
        )

    def holds(self, today: date) -> bool:
        """Return whether it is valid on a day."""
        return (self.valid_from or today) <= today <= (self.valid_to or today)


@dataclass(frozen=True, slots=True)
class CuratedContext:
    """Entities and pages of a hospital, against which curated answers are validated."""

    things: Container[Ref]
    pages: Container[str]


def answer_flaws(record: CuratedAnswer, house: CuratedContext) -> Iterator[tuple[str, WrongValue]]:
    """Yield the errors of a curated answer, each with its field."""
    if record.need not in needs.kinds():
        yield (
            "need",
            WrongValue(
                _("“%(part)s” is not a kind of question: choose one from the list."), record.need
            ),
        )
    if record.subject != HOSPITAL and record.subject not in house.things:
        sentence = _(
            "The taxonomy has nothing called “%(part)s”: correct the name, or add it first."
        )
        yield "subject", WrongValue(sentence, ":".join(record.subject))
    yield from _of_conditions(record, house)
    yield from _of_languages(record)
    yield from _of_sources(record, house)
    if record.valid_from and record.valid_to and record.valid_from > record.valid_to:
        sentence = _("“%(part)s” ends before it starts.")
        yield "valid_to", WrongValue(sentence, f"{record.valid_from} – {record.valid_to}")


def _of_conditions(
    record: CuratedAnswer, house: CuratedContext
) -> Iterator[tuple[str, WrongValue]]:
    for name, value in record.conditions.items():
        if name not in CONDITIONS or not value:
            sentence = _(
                "“%(part)s” is not a condition: use one with a value, such as campus or age."
            )
            yield "conditions", WrongValue(sentence, name)
        elif name == CAMPUS and (CAMPUS, value) not in house.things:
            yield (
                "conditions",
                WrongValue(
                    _("There is no campus “%(part)s”: write the key of a campus, or add it first."),
                    value,
                ),
            )


def _of_sources(record: CuratedAnswer, house: CuratedContext) -> Iterator[tuple[str, WrongValue]]:
    if not record.sources:
        yield "sources", WrongValue(_("Enter the page that supports the answer."), "")
    for url in record.sources:
        if url not in house.pages:
            yield "sources", WrongValue(_("“%(part)s” is not a page of this hospital."), url)
    kind, _colon, key = record.next_step.partition(":")
    is_desk = kind == DEPARTMENT and (kind, key) in house.things
    if record.next_step not in ("", HELPDESK, EMERGENCY) and not is_desk:
        sentence = _("“%(part)s” is not a next step: use helpdesk, emergency or department:key.")
        yield "next_step", WrongValue(sentence, record.next_step)


def _of_languages(record: CuratedAnswer) -> Iterator[tuple[str, WrongValue]]:
    """Yield errors of languages: each needs an answer with examples, or neither."""
    written: Collection[str] = [code for code in LANGUAGES if record.answer.get(code)]
    if not written:
        yield "answer_nl", WrongValue(_("Write the answer in at least one language."), "")
    for code in {*record.answer, *record.examples} - set(LANGUAGES):
        yield "key", WrongValue(_("“%(part)s” is not the code of a language, such as nl."), code)
    for code in LANGUAGES:
        examples, answer = record.examples.get(code, ()), record.answer.get(code, "")
        if examples and not answer:
            yield (
                f"answer_{code}",
                WrongValue(_("This language has example questions but no answer: %(part)s."), code),
            )
        if answer and len(set(examples)) < LEAST_EXAMPLES:
            sentence = _("Write at least three example questions in this language: %(part)s.")
            yield f"examples_{code}", WrongValue(sentence, code)
        if len(answer.split()) > LONGEST:
            sentence = _(
                "Shorten the answer to at most 80 words, and refer to pages for the rest: %(part)s."
            )
            yield f"answer_{code}", WrongValue(sentence, code)


def _day(value: Any) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) else value


TRANSLATIONS = "chat.passagetranslation"
_FIGURE = re.compile(r"\d+")
_HEADING_LINE = re.compile(rf"^{HEADING}.*$", re.MULTILINE)


class PageSection(NamedTuple):
    """A section of a chunk: its heading (empty above the first) and text."""

    heading: str
    body: str

    @property
    def digest(self) -> str:
        return digest_of(self.body)


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation of a section."""

    source: str
    language: str
    text: str
    heading: str = ""


def digest_of(text: str) -> str:
    """Return the digest of a section's words, independent of line breaks."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def sections(text: str) -> Iterator[PageSection]:
    """Yield the non-empty sections of a chunk."""
    headings = ["", *_HEADING_LINE.findall(text)]
    for heading, body in zip(headings, _HEADING_LINE.split(text), strict=True):
        if body.strip():
            yield PageSection(heading, body.strip())


def translation_flaws(
    record: Translation, own: str, digests: Collection[str]
) -> Iterator[tuple[str, WrongValue]]:
    """Yield the errors of a page's translation, each with its field."""
    if digest_of(record.source) not in digests:
        yield (
            "source",
            WrongValue(_("The page has no section with this text: %(part)s…"), record.source[:60]),
        )
    if record.language not in LANGUAGES or record.language == own:
        yield (
            "language",
            WrongValue(
                _("“%(part)s” is the language of the page, or is not offered: choose another."),
                record.language,
            ),
        )
    there, here = [[each.form for each in lines(text)] for text in (record.source, record.text)]
    if there != here:
        sentence = _(
            "The section and the translation differ in their number of "
            "sentences, items and rows (%(part)s): translate each as one."
        )
        yield "text", WrongValue(sentence, f"{len(there)} ≠ {len(here)}")
    if differing := {*_FIGURE.findall(record.source)} ^ {*_FIGURE.findall(record.text)}:
        sentence = _("These figures differ from the section: %(part)s. Correct them.")
        yield "text", WrongValue(sentence, ", ".join(sorted(differing)))


class Translations:
    """The translations of a version. Immutable once built."""

    def __init__(self, known: Iterable[Translation] = ()) -> None:
        self._known = {(each.language, digest_of(each.source)): each for each in known}

    def lines(self, passage: Passage, language: str) -> Mapping[Line, Line]:
        """Return the statements of a chunk with their translations; none if they do not align."""
        text = passage.text
        parts = [(each, self._known.get((language, each.digest))) for each in sections(text)]
        if not any(known for _section, known in parts):
            return {}
        written = "\n".join(_written(section, known) for section, known in parts)
        translated = [bool(known) for section, known in parts for _line in lines(section.body)]
        there = [*lines(text, passage.placed)]
        here = [*lines(written)]
        if not len(there) == len(here) == len(translated):
            return {}
        every = zip(there, here, translated, strict=True)
        return {own: _under(own, other) for own, other, is_translated in every if is_translated}


def _under(own: Line, translated: Line) -> Line:
    """Return a translated statement with the headings of its section, translated if possible."""
    lead = translated.leads or own.leads
    path = (*own.place.path[:-1], *(translated.place.path or own.place.path[-1:]))
    place = replace(own.place, path=path, lead=lead)
    return replace(translated, place=place, heading=PATH.join(path), lead=(*lead, "")[0])


def _written(section: PageSection, translation: Translation | None) -> str:
    if translation is None:
        return f"{section.heading}\n{section.body}"
    heading = f"{HEADING}{translation.heading}" if translation.heading else section.heading
    return f"{heading}\n{translation.text}"


def translations_of(snapshot: Snapshot) -> Translations:
    """Return a version's translations; use it through `snapshot.derived(translations_of)`."""
    names, rows = ("source", "language", "text", "heading"), snapshot.rows_of(TRANSLATIONS)
    return Translations(Translation(**{name: str(row[name]) for name in names}) for row in rows)
