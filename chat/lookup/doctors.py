"""Who somebody is, and who treats something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from chat.lookup.departments import dealt_with, find_departments, wards
from chat.lookup.finding import Finding, Says
from chat.lookup.lookup_question import (
    ABOUT_HOURS,
    LookupQuestion,
    carers_of,
    departments_of_all,
    elsewhere,
    reach,
)
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing

#: People who are told about in full.
MOST_PEOPLE = 3
#: What is told of one doctor, with when they consult.
ABOUT_ONE = frozenset({Says.DOCTOR, Says.SCHEDULE, Says.MEMBER, Says.OPTION})
#: Rosters told one after another for something that several departments treat.
MOST_ROSTERS = 2
#: People told of a whole hospital, and departments of those who are only counted.
MOST_FITTING, MOST_PLACES = 12, 6


def name_doctors(asked: LookupQuestion) -> Iterator[Finding]:
    """Tell about the doctors that a question names; of equals all, never one silently."""
    people = [match for match in asked.meant.matches if match.thing.kind is Kind.DOCTOR]
    if people[0].is_ambiguous:
        yield from options(asked, (people[0].thing, *people[0].alternatives))
        return
    for match in people[:MOST_PEOPLE]:
        yield from tell_doctor(asked, match.thing)


def with_absences(findings: Iterable[Finding], today: date) -> Iterator[Finding]:
    """Tell of doctors who are away when they are back, and not when they consult."""
    told: set[Thing] = set()
    for finding in findings:
        doctor, says = finding.about, finding.says
        # Both are written as 2026-11-28.
        is_away = doctor.kind is Kind.DOCTOR and doctor.get("absent_until") > today.isoformat()
        if not (is_away and says in ABOUT_ONE):
            yield finding
            continue
        if says is not Says.SCHEDULE:
            yield replace(finding, value="")
        if says in (Says.DOCTOR, Says.SCHEDULE) and doctor not in told:
            told.add(doctor)
            yield Finding(Says.ABSENT, doctor, value=doctor.get("absent_until"))


def options(asked: LookupQuestion, doctors: Sequence[Thing]) -> Iterator[Finding]:
    yield Finding(Says.AMBIGUOUS, doctors[0], things=tuple(doctors))
    for doctor in doctors:
        yield Finding(Says.OPTION, doctor, value=consults(asked, doctor))


def consults(asked: LookupQuestion, doctor: Thing) -> str:
    """Return when a doctor of a list consults, where that is asked."""
    is_asked = asked.asks_when or asked.meant.topic in ABOUT_HOURS
    return str(doctor.get("schedule") or "") if is_asked else ""


def tell_doctor(asked: LookupQuestion, doctor: Thing) -> Iterator[Finding]:
    """Tell where a doctor works, when they consult, and how their department is reached."""
    departments = asked.departments_of(doctor)
    yield Finding(Says.DOCTOR, doctor, things=departments)
    if schedule := doctor.get("schedule"):
        yield Finding(Says.SCHEDULE, doctor, value=schedule)
    if languages := doctor.data.get("languages"):
        yield Finding(Says.SPEAKS, doctor, value="|".join(languages))
    for department in departments[:1]:
        yield from reach(asked, department)


def on_wards(asked: LookupQuestion, staffed: Sequence[Thing]) -> Iterator[Finding]:
    """Tell who works on wards that are named: not everybody of the departments they belong to."""
    for ward in staffed:
        yield from roster(asked, ward)
    yield from wards(asked)


def find_doctors(asked: LookupQuestion) -> Iterator[Finding]:
    """Tell who treats something: those who are known to, else everybody of its departments.

    Where a campus is named, only who consults there is told.
    """
    if not asked.departments:
        everybody = [thing for thing in asked.vocabulary.things if thing.kind is Kind.DOCTOR]
        # A day alone says nothing about a whole hospital.
        is_chosen = bool(asked.filters.languages)
        fitting = asked.filters.keep(everybody, asked.vocabulary) if is_chosen else ()
        if fitting:
            yield from filtered(asked, fitting[0], fitting[:MOST_FITTING])
            yield from further(asked, fitting[MOST_FITTING:])
        yield from find_departments(asked)
        return
    care = asked.care
    if not care and (staffed := [w for w in asked.wards if asked.vocabulary.doctors_in(w)]):
        yield from on_wards(asked, staffed)
        return
    if care:
        yield from dealt_with(asked, care[0])
    known = carers(asked)
    yield from chosen(asked, known)
    for department in places(asked)[:MOST_ROSTERS]:
        if not known:
            yield from elsewhere(asked, department)
            yield from roster(asked, department)
        yield from reach(asked, department)


def carers(asked: LookupQuestion) -> tuple[Thing, ...]:
    """Return who is known to treat what is named, at the campuses that are."""
    known = list(dict.fromkeys(d for each in asked.care for d in carers_of(asked.vocabulary, each)))
    return asked.vocabulary.at_campuses(known, asked.campuses)


def chosen(asked: LookupQuestion, known: Sequence[Thing]) -> Iterator[Finding]:
    """Tell who of those known fits the day, the language or else that is asked; all, if nobody."""
    fitting = asked.filters.keep(known, asked.vocabulary) if asked.filters else ()
    if fitting:
        yield from filtered(asked, asked.care[0], fitting)
        return
    if known and asked.filters:
        yield Finding(Says.FILTERED_NONE, asked.care[0], filters=asked.filters)
    for doctor in known:
        yield Finding(Says.OPTION, doctor, value=consults(asked, doctor))


def one_of_told(asked: LookupQuestion) -> Iterator[Finding]:
    """Tell about the doctor who was told; of several, ask which one."""
    told = carers(asked) or tuple(
        doctor for place in places(asked)[:1] for doctor in asked.vocabulary.doctors_in(place)
    )
    if len(told) > 1:
        yield from options(asked, told)
    for doctor in told if len(told) == 1 else ():
        yield from tell_doctor(asked, doctor)


def places(asked: LookupQuestion) -> tuple[Thing, ...]:
    """Return the departments named, before those that follow from something else."""
    named = asked.meant.matched(Kind.DEPARTMENT, Kind.SPECIALTY)
    return departments_of_all(asked, named) or asked.departments


def roster(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Tell every doctor of a department; where a day, a language or a campus is named, who is known
    to fit.

    When nobody is, that is said, and all are told. Only of all it is said how many they are.
    """
    words, filters = asked.vocabulary, asked.filters
    everybody = words.doctors_in(department)
    fitting = filters.keep(everybody, words) if filters or filters.campuses else ()
    if fitting and (filters or len(fitting) < len(everybody)):
        yield from filtered(asked, department, fitting)
        return
    if filters and everybody:
        yield Finding(Says.FILTERED_NONE, department, filters=filters)
    yield from members(asked, department, everybody)


def filtered(asked: LookupQuestion, about: Thing, doctors: Sequence[Thing]) -> Iterator[Finding]:
    """Tell the doctors who fit what is asked of them, and when they consult if a day is."""
    yield Finding(Says.FILTERED, about, things=tuple(doctors), filters=asked.filters)
    for doctor in doctors:
        yield Finding(Says.MEMBER, doctor, value=consults(asked, doctor))
    by_day = asked.filters.days or asked.filters.without
    for doctor in doctors[:MOST_PEOPLE] if by_day and not consults(asked, doctors[0]) else ():
        yield Finding(Says.SCHEDULE, doctor, value=doctor.get("schedule"))


def further(asked: LookupQuestion, doctors: Sequence[Thing]) -> Iterator[Finding]:
    """Tell how many more fit, and at which departments most of them are."""
    counted = Counter(place for doctor in doctors for place in asked.departments_of(doctor))
    places = tuple(place for place, _ in counted.most_common(MOST_PLACES))
    if doctors and places:
        yield Finding(Says.FURTHER, doctors[0], things=places, value=str(len(doctors)))


def members(
    asked: LookupQuestion, department: Thing, doctors: Sequence[Thing]
) -> Iterator[Finding]:
    yield Finding(Says.ROSTER, department, things=tuple(doctors))
    for doctor in doctors:
        yield Finding(Says.MEMBER, doctor, value=consults(asked, doctor))
