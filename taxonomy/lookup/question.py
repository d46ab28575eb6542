"""Look-up questions, and the findings that several handlers share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from taxonomy.language.lexicon import Lexicon
from taxonomy.lookup.finding import GUESSED, MEETS, Filters, Finding, FindingKind
from taxonomy.resolvers.entries import FROM_CONDITION, Match
from taxonomy.resolvers.recognise import BODY
from taxonomy.vocabulary import Kind, Predicate, Thing, Vocabulary
from zol.text import words

#: Topics of questions about opening and visiting hours, and about how to get to a place.
HOURS, VISITING = "hours", "visiting"
ABOUT_HOURS, ABOUT_ROUTE = {HOURS, VISITING}, {"route", "parking", "accessibility"}
#: Kinds of entities for which a patient needs a department.
CARE = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
#: Maximum departments of an answer.
MOST_DEPARTMENTS = 3
#: Concepts whose words introduce visiting hours ("bezoek dagelijks 14:00-20:00") and other hours
#: ("raadpleging ma-vr 9:00-17:00").
VISITS = frozenset({"visiting_hours", "visitor", "visit"})
OPENS = frozenset({"consultation", "opening_hours", "reception"})


def is_implied(match: Match) -> bool:
    """Return whether a department is only implied by another word."""
    return match.thing.kind is Kind.DEPARTMENT and (match.is_borrowed or match.by == FROM_CONDITION)


@dataclass(frozen=True, slots=True)
class LookupQuestion:
    """A question to the published taxonomy, as plain values."""

    vocabulary: Vocabulary
    #: Named entities, most important first.
    matches: tuple[Match, ...] = ()
    #: The kind of answer: one, all, people, place, price, time, rule, steps, other.
    wants: str = "other"
    topic: str = ""
    #: Filters of a list of doctors.
    filters: Filters = Filters()
    #: Whether a department has only a ward code as its name. Patients are never referred to one: an
    #: answer once had a code in place of Endocrinology.
    is_ward_code: Callable[[Thing], bool] = lambda thing: False
    #: Lexicon and language for parsing hours.
    lexicon: Lexicon = field(default_factory=Lexicon)
    language: str = "nl"

    def named(self, *kinds: Kind) -> tuple[Thing, ...]:
        """Return the entities of these kinds that the question names."""
        return tuple(match.thing for match in self.matches if match.thing.kind in kinds)

    @property
    def care(self) -> tuple[Thing, ...]:
        return self.named(*CARE)

    @property
    def campuses(self) -> tuple[Thing, ...]:
        return self.named(Kind.CAMPUS)

    @property
    def departments(self) -> tuple[Thing, ...]:
        """Return the distinct departments of all entities that the question names."""
        return self.departments_of(*(match.thing for match in self.matches))

    @property
    def routed(self) -> tuple[Thing, ...]:
        """Return the departments that an answer must name: those of the first `CARE` entity."""
        return next(filter(None, map(self.departments_of, self.care)), ())

    @property
    def wards(self) -> tuple[Thing, ...]:
        """Return the wards that the question names by code and that belong to a department."""
        named = self.named(Kind.DEPARTMENT)
        return tuple(w for w in named if self.is_ward_code(w) and self.parents_of(w))

    def departments_of(self, *things: Thing) -> tuple[Thing, ...]:
        """Return the distinct departments of entities; for a ward code, those it is part of."""
        found: dict[Thing, None] = {}
        for department in (each for t in things for each in self.vocabulary.departments_of(t)):
            is_code = self.is_ward_code(department)
            found |= dict.fromkeys(self.parents_of(department) if is_code else (department,))
        return tuple(found)

    def parents_of(self, department: Thing) -> tuple[Thing, ...]:
        parents = self.vocabulary.objects(department, Predicate.PART_OF)
        return tuple(parent for parent in parents if not self.is_ward_code(parent))

    def hours(self, place: Thing, *, of_visits: bool = False) -> str:
        """Return the opening or visiting hours of a place from its free text.

        Parts may be labelled: "raadpleging ma-vr 9:00-17:00; bezoek 14-20 u". A part without a
        label continues the one before it.
        """
        kept, is_visits = [], False
        for part in filter(None, map(str.strip, place.get("hours").split(";"))):
            uses = self.lexicon.read(words(part), self.language)
            labels = {concept.name for use in uses for concept in use.concepts}
            is_visits = not VISITS.isdisjoint(labels) or (is_visits and OPENS.isdisjoint(labels))
            if is_visits is of_visits:
                kept.append(part)
        return "; ".join(kept)

    def is_answered_by(self, findings: Sequence[Finding]) -> bool:
        """Return whether findings are a complete answer.

        They must give what is wanted of every named entity, without guesses and without a
        department derived from a part of the body.
        """
        statements = {finding.kind for finding in findings}
        found = {thing for each in findings for thing in (each.about, *each.things)}
        named = self.named(Kind.DOCTOR, Kind.DEPARTMENT, Kind.SPECIALTY, *CARE)
        is_all = all(found & {thing, *self.departments_of(thing)} for thing in named)
        is_derived = any(m.by == FROM_CONDITION and m.confidence <= BODY for m in self.matches)
        # Buses and exits are only on pages.
        meets = frozenset() if self.topic in ABOUT_ROUTE else MEETS.get(self.wants, frozenset())
        has_hours = (each.value and each.about.kind is Kind.DOCTOR for each in findings)
        is_met = not statements.isdisjoint(meets) or (self.wants == "time" and any(has_hours))
        return is_met and is_all and not is_derived and statements.isdisjoint(GUESSED)


#: A handler finds the answer to one kind of question.
Handler: TypeAlias = Callable[[LookupQuestion], Iterator[Finding]]


def dealt_with(asked: LookupQuestion, thing: Thing) -> Iterator[Finding]:
    """Find the departments that deal with a condition, treatment or examination."""
    if departments := asked.departments_of(thing):
        yield Finding(FindingKind.DEALT_WITH, thing, things=departments)


def elsewhere(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find the campuses of a department that is not at the campus in the question."""
    campuses = asked.vocabulary.campuses_of(department)
    if asked.campuses and campuses and not {*campuses} & {*asked.campuses}:
        yield Finding(FindingKind.ELSEWHERE, department, things=campuses, others=asked.campuses)


def reach(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find the campuses and telephone number of a department."""
    if campuses := asked.vocabulary.campuses_of(department):
        yield Finding(FindingKind.PLACE, department, things=campuses)
    if phone := department.get("phone"):
        yield Finding(FindingKind.PHONE, department, value=phone)


def contact(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find the campuses, telephone number and e-mail address of a department."""
    yield from reach(asked, department)
    if email := department.get("email"):
        yield Finding(FindingKind.EMAIL, department, value=email)


def address(campus: Thing) -> Iterator[Finding]:
    """Find the address and telephone number of a campus."""
    if where := address_of(campus):
        yield Finding(FindingKind.ADDRESS, campus, value=where)
    if phone := campus.get("phone"):
        yield Finding(FindingKind.PHONE, campus, value=phone)


def address_of(campus: Thing) -> str:
    town = f"{campus.get('postcode')} {campus.get('city')}".strip()
    return ", ".join(part for part in (campus.get("street"), town) if part)


def opening(asked: LookupQuestion, place: Thing) -> Iterator[Finding]:
    """Find the opening hours of a place."""
    if value := asked.hours(place):
        yield Finding(FindingKind.HOURS, place, value=value)


def visiting(asked: LookupQuestion, *places: Thing) -> Iterator[Finding]:
    """Find the visiting hours of places, or else of their wards."""
    for place in places:
        if value := asked.hours(place, of_visits=True):
            yield Finding(FindingKind.VISITING_HOURS, place, value=value)
        elif wards := asked.vocabulary.subjects(place, Predicate.PART_OF):
            yield from visiting(asked, *wards)
