"""Curated answers as plain values, with their validation for the staff form and for packs."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any

from taxonomy.facts import needs
from taxonomy.facts.conditions import FactConditions
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
        """Return the answer of a published row."""
        return cls(
            key=str(row["key"]),
            need=str(row["need"]),
            subject=(row["subject__kind"] or "", row["subject__key"] or ""),
            conditions=dict(row["conditions"]),
            examples={code: tuple(said) for code, said in row["examples"].items()},
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
    """Hospital data that curated answers are validated against."""

    things: Container[Ref]
    pages: Container[str]


def flaws(said: CuratedAnswer, house: CuratedContext) -> Iterator[tuple[str, WrongValue]]:
    """Yield the flaws of a curated answer, each with its field."""
    if said.need not in needs.kinds():
        yield "need", WrongValue(_("There is no need “%(part)s”."), said.need)
    if said.subject != HOSPITAL and said.subject not in house.things:
        sentence = _("There is nothing called “%(part)s” in the taxonomy.")
        yield "subject", WrongValue(sentence, ":".join(said.subject))
    yield from _of_conditions(said, house)
    yield from _of_languages(said)
    yield from _of_sources(said, house)
    if said.valid_from and said.valid_to and said.valid_from > said.valid_to:
        sentence = _("“%(part)s” ends before it starts.")
        yield "valid_to", WrongValue(sentence, f"{said.valid_from} – {said.valid_to}")


def _of_conditions(said: CuratedAnswer, house: CuratedContext) -> Iterator[tuple[str, WrongValue]]:
    for name, value in said.conditions.items():
        if name not in CONDITIONS or not value:
            sentence = _("“%(part)s” is not a condition with a value, such as campus or age.")
            yield "conditions", WrongValue(sentence, name)
        elif name == CAMPUS and (CAMPUS, value) not in house.things:
            yield "conditions", WrongValue(_("There is no campus “%(part)s”."), value)


def _of_sources(said: CuratedAnswer, house: CuratedContext) -> Iterator[tuple[str, WrongValue]]:
    if not said.sources:
        yield "sources", WrongValue(_("Give the page that supports the answer."), "")
    for url in said.sources:
        if url not in house.pages:
            yield "sources", WrongValue(_("“%(part)s” is not a page of this hospital."), url)
    kind, _colon, key = said.next_step.partition(":")
    is_desk = kind == DEPARTMENT and (kind, key) in house.things
    if said.next_step not in ("", HELPDESK, EMERGENCY) and not is_desk:
        sentence = _("“%(part)s” is not a next step: use helpdesk, emergency or department:key.")
        yield "next_step", WrongValue(sentence, said.next_step)


def _of_languages(said: CuratedAnswer) -> Iterator[tuple[str, WrongValue]]:
    """Yield incomplete languages: each needs an answer and examples, or neither."""
    written: Collection[str] = [code for code in LANGUAGES if said.answer.get(code)]
    if not written:
        yield "answer_nl", WrongValue(_("Write the answer in at least one language."), "")
    for code in {*said.answer, *said.examples} - set(LANGUAGES):
        yield "key", WrongValue(_("“%(part)s” is not the code of a language, such as nl."), code)
    for code in LANGUAGES:
        examples, answer = said.examples.get(code, ()), said.answer.get(code, "")
        if examples and not answer:
            yield (
                f"answer_{code}",
                WrongValue(_("There are examples, but no answer: %(part)s."), code),
            )
        if answer and len(set(examples)) < LEAST_EXAMPLES:
            sentence = _("Write at least three example questions: %(part)s.")
            yield f"examples_{code}", WrongValue(sentence, code)
        if len(answer.split()) > LONGEST:
            sentence = _("An answer has at most 80 words; refer to pages for the rest: %(part)s.")
            yield f"answer_{code}", WrongValue(sentence, code)


def _day(told: Any) -> date | None:
    return date.fromisoformat(told) if isinstance(told, str) else told
