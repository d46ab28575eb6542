"""Look-up questions: what is asked of the taxonomy, and the paths that all handlers walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from taxonomy.language.lexicon import Lexicon
from taxonomy.lookup.finding import GUESSED, MEETS, Filters, Finding, Says
from taxonomy.resolvers.entries import FROM_CONDITION, Match
from taxonomy.resolvers.recognise import BODY
from taxonomy.vocabulary import Kind, Predicate, Thing, Vocabulary
from zol.text import words

#: Topics of questions about when a place is open or visitors are welcome, and how to get there.
HOURS, VISITING = "hours", "visiting"
ABOUT_HOURS, ABOUT_ROUTE = {HOURS, VISITING}, {"route", "parking", "accessibility"}
#: Kinds that a department is asked for.
CARE = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
#: Of further departments only the essentials are said.
MOST_DEPARTMENTS = 3
#: Concepts of the lexicon whose words begin hours for visitors: "bezoek dagelijks 14:00-20:00",
#: and those whose words begin other hours: "raadpleging ma-vr 9:00-17:00".
VISITS = frozenset({"visiting_hours", "visitor", "visit"})
OPENS = frozenset({"consultation", "opening_hours", "reception"})


def is_touched(match: Match) -> bool:
    """Tell whether a department is not named, but follows from a word for something else."""
    return match.thing.kind is Kind.DEPARTMENT and (match.is_borrowed or match.by == FROM_CONDITION)


@dataclass(frozen=True, slots=True)
class LookupQuestion:
    """A look-up question as plain values, with the published taxonomy."""

    vocabulary: Vocabulary
    #: What is named, most important first.
    matches: tuple[Match, ...] = ()
    #: What an answer must give: one, all, people, place, price, time, rule, steps, other.
    wants: str = "other"
    topic: str = ""
    #: Which doctors of a list are meant.
    filters: Filters = Filters()
    #: Tells whether a department is named by the code of a ward only; such a one is never shown as
    #: where somebody can turn to (a code once stood where Endocrinology should have).
    is_ward_code: Callable[[Thing], bool] = lambda thing: False
    #: What reads hours, which are in the hospital's language.
    lexicon: Lexicon = field(default_factory=Lexicon)
    language: str = "nl"

    def named(self, *kinds: Kind) -> tuple[Thing, ...]:
        """Return the things of these kinds that the question names."""
        return tuple(match.thing for match in self.matches if match.thing.kind in kinds)

    @property
    def care(self) -> tuple[Thing, ...]:
        return self.named(*CARE)

    @property
    def campuses(self) -> tuple[Thing, ...]:
        return self.named(Kind.CAMPUS)

    @property
    def departments(self) -> tuple[Thing, ...]:
        """Return the departments of everything that the question names, each once."""
        return self.departments_of(*(match.thing for match in self.matches))

    @property
    def routed(self) -> tuple[Thing, ...]:
        """Return the departments that an answer must name: of the first thing of care."""
        return next(filter(None, map(self.departments_of, self.care)), ())

    @property
    def wards(self) -> tuple[Thing, ...]:
        """Return the wards that the question names by their codes, each a part of a department."""
        named = self.named(Kind.DEPARTMENT)
        return tuple(w for w in named if self.is_ward_code(w) and self.parents_of(w))

    def departments_of(self, *things: Thing) -> tuple[Thing, ...]:
        """Return where a person is helped with things, each once; for a ward's code, what it is a
        part of."""
        found: dict[Thing, None] = {}
        for department in (each for t in things for each in self.vocabulary.departments_of(t)):
            is_code = self.is_ward_code(department)
            found |= dict.fromkeys(self.parents_of(department) if is_code else (department,))
        return tuple(found)

    def parents_of(self, department: Thing) -> tuple[Thing, ...]:
        parents = self.vocabulary.objects(department, Predicate.PART_OF)
        return tuple(parent for parent in parents if not self.is_ward_code(parent))

    def hours(self, place: Thing, *, of_visits: bool = False) -> str:
        """Return when a place is open, or when visitors are welcome, of all that staff wrote:
        "raadpleging ma-vr 9:00-17:00; bezoek 14-20 u". A part without a word for either continues
        the one before it."""
        kept, is_visits = [], False
        for part in filter(None, map(str.strip, place.get("hours").split(";"))):
            uses = self.lexicon.read(words(part), self.language)
            said = {concept.name for use in uses for concept in use.concepts}
            is_visits = not VISITS.isdisjoint(said) or (is_visits and OPENS.isdisjoint(said))
            if is_visits is of_visits:
                kept.append(part)
        return "; ".join(kept)

    def is_answered_by(self, findings: Sequence[Finding]) -> bool:
        """Tell whether findings are the whole answer: they give what is wanted of everything that
        is named, guess nothing, and rest on no department that only a part of the body leads to."""
        says = {finding.says for finding in findings}
        told = {thing for found in findings for thing in (found.about, *found.things)}
        named = self.named(Kind.DOCTOR, Kind.DEPARTMENT, Kind.SPECIALTY, *CARE)
        is_all = all(told & {thing, *self.departments_of(thing)} for thing in named)
        is_led = any(m.by == FROM_CONDITION and m.confidence <= BODY for m in self.matches)
        # Which bus or exit leads to a place is on pages only.
        meets = frozenset() if self.topic in ABOUT_ROUTE else MEETS.get(self.wants, frozenset())
        has_hours = (each.value and each.about.kind is Kind.DOCTOR for each in findings)
        is_met = not says.isdisjoint(meets) or (self.wants == "time" and any(has_hours))
        return is_met and is_all and not is_led and says.isdisjoint(GUESSED)


#: Handlers answer one sort of question each.
Handler: TypeAlias = Callable[[LookupQuestion], Iterator[Finding]]


def dealt_with(asked: LookupQuestion, thing: Thing) -> Iterator[Finding]:
    """Find the departments that deal with a condition, treatment or examination."""
    if departments := asked.departments_of(thing):
        yield Finding(Says.DEALT_WITH, thing, things=departments)


def elsewhere(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find where a department is that is not at the campus which is asked about."""
    campuses = asked.vocabulary.campuses_of(department)
    if asked.campuses and campuses and not {*campuses} & {*asked.campuses}:
        yield Finding(Says.ELSEWHERE, department, things=campuses, others=asked.campuses)


def reach(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find where a department is and how to call it."""
    if campuses := asked.vocabulary.campuses_of(department):
        yield Finding(Says.PLACE, department, things=campuses)
    if phone := department.get("phone"):
        yield Finding(Says.PHONE, department, value=phone)


def contact(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find every way to reach a department."""
    yield from reach(asked, department)
    if email := department.get("email"):
        yield Finding(Says.EMAIL, department, value=email)


def address(campus: Thing) -> Iterator[Finding]:
    """Find where a campus is and how to call it."""
    if where := address_of(campus):
        yield Finding(Says.ADDRESS, campus, value=where)
    if phone := campus.get("phone"):
        yield Finding(Says.PHONE, campus, value=phone)


def address_of(campus: Thing) -> str:
    town = f"{campus.get('postcode')} {campus.get('city')}".strip()
    return ", ".join(part for part in (campus.get("street"), town) if part)


def opening(asked: LookupQuestion, place: Thing) -> Iterator[Finding]:
    """Find when a place is open; a ward has no hours but those for visitors."""
    if value := asked.hours(place):
        yield Finding(Says.HOURS, place, value=value)


def visiting(asked: LookupQuestion, *places: Thing) -> Iterator[Finding]:
    """Find when visitors are welcome: at a place itself, else at the wards that belong to it."""
    for place in places:
        if value := asked.hours(place, of_visits=True):
            yield Finding(Says.VISITING_HOURS, place, value=value)
        elif wards := asked.vocabulary.subjects(place, Predicate.PART_OF):
            yield from visiting(asked, *wards)
