"""Handlers: find departments, campuses, bookings and doctors for a look-up question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from taxonomy.facts.schedules import slots
from taxonomy.lookup.finding import Finding, Says
from taxonomy.lookup.question import (
    ABOUT_HOURS,
    ABOUT_ROUTE,
    HOURS,
    MOST_DEPARTMENTS,
    VISITING,
    LookupQuestion,
    address,
    contact,
    dealt_with,
    elsewhere,
    opening,
    reach,
    visiting,
)
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.vocabulary import Kind, Predicate, Thing, Vocabulary
from zol.text import fold

#: Things of care that one question is answered about.
MOST_CARE = 2
#: Topic of questions that want an appointment, rather than a number or an address.
BOOKS = "appointment"


def find_places(asked: LookupQuestion) -> Iterator[Finding]:
    """Find the departments and campuses that a question names."""
    yield from wards(asked)
    for department in asked.departments[:MOST_DEPARTMENTS]:
        yield from _department(asked, department)
    if not asked.departments or asked.topic in ABOUT_ROUTE:
        for campus in asked.campuses:
            yield from _campus(asked, campus)


def find_departments(asked: LookupQuestion) -> Iterator[Finding]:
    """Find where a department is; of a campus that is named alone, the departments it has."""
    if asked.care:
        yield from find_care(asked)
    elif asked.campuses and not asked.departments and asked.topic not in ABOUT_HOURS | ABOUT_ROUTE:
        for campus in asked.campuses:
            yield from _at_campus(asked, campus)
    else:
        yield from find_places(asked)


def find_care(asked: LookupQuestion) -> Iterator[Finding]:
    """Find where a condition, treatment or examination is dealt with; where none is named, places.

    An examination that only some campuses have is at these, wherever its department is.
    """
    if not asked.care:
        yield from find_places(asked)
    for thing in asked.care[:MOST_CARE]:
        yield from dealt_with(asked, thing)
        having = asked.vocabulary.subjects(thing, Predicate.HAS_FACILITY)
        own = tuple(each for each in having if each.kind is Kind.CAMPUS)
        for department in asked.departments_of(thing)[:MOST_DEPARTMENTS]:
            yield from elsewhere(asked, department)
            for found in reach(asked, department):
                yield replace(found, things=own) if own and found.says is Says.PLACE else found


def find_booking(asked: LookupQuestion) -> Iterator[Finding]:
    """Find whom to call for an appointment, or to reach somebody, and where that is."""
    if not asked.departments:
        yield from find_places(asked)
        return
    department = asked.departments[0]
    for thing in asked.care[:1]:
        yield from dealt_with(asked, thing)
    yield Finding(Says.BOOKED_AT if asked.topic == BOOKS else Says.REACHED, department)
    yield from contact(asked, department)
    if asked.topic != BOOKS:
        for campus in asked.campuses:
            yield from _campus(asked, campus)


def wards(asked: LookupQuestion) -> Iterator[Finding]:
    """Find what a ward that is named by its code is a part of, before anything else."""
    for ward in asked.wards:
        yield Finding(Says.PART_OF, ward, things=asked.parents_of(ward))
        yield from contact(asked, ward)


def _department(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    if asked.topic == VISITING:
        yield from visiting(asked, department)
        yield from reach(asked, department)
        return
    hours = tuple(opening(asked, department)) or tuple(visiting(asked, department))
    # Its hours may be others at the campus that is meant: pages tell.
    is_one = not asked.campuses or len(asked.vocabulary.campuses_of(department)) < 2
    is_first = asked.topic == HOURS and is_one
    if is_first:
        yield from (*hours, *visiting(asked, department))
    yield from elsewhere(asked, department)
    # It may not be named, but follow from complaints.
    follows = any(m.thing == department and m.by == FROM_CONDITION for m in asked.matches)
    yield Finding(Says.SUITED if follows and not asked.care else Says.REACHED, department)
    yield from contact(asked, department)
    if not is_first:
        yield from hours


def _campus(asked: LookupQuestion, campus: Thing) -> Iterator[Finding]:
    if asked.topic == HOURS:
        yield from opening(asked, campus)
    if asked.topic in ABOUT_HOURS:
        yield from visiting(asked, campus)
    yield from address(campus)


def _at_campus(asked: LookupQuestion, campus: Thing) -> Iterator[Finding]:
    there = asked.vocabulary.subjects(campus, Predicate.LOCATED_AT)
    departments = [
        each for each in there if each.kind is Kind.DEPARTMENT and not asked.is_ward_code(each)
    ]
    departments.sort(key=lambda each: fold(each.name))
    yield from address(campus)
    if departments:
        yield Finding(Says.AT_CAMPUS, campus, things=tuple(departments))
        yield from (Finding(Says.DEPARTMENT, each) for each in departments)


#: People who are told about in full.
MOST_PEOPLE = 3
#: What tells when a doctor consults.
SCHEDULED = frozenset({Says.DOCTOR, Says.SCHEDULE, Says.MEMBER, Says.OPTION})
#: Rosters told one after another for something that several departments treat.
MOST_ROSTERS = 2
#: People told of a whole hospital, and departments of those who are only counted.
MOST_FITTING, MOST_PLACES = 12, 6


def find_named(asked: LookupQuestion) -> Iterator[Finding]:
    """Find the doctors that a question names; of equals all, never one silently."""
    people = [match for match in asked.matches if match.thing.kind is Kind.DOCTOR]
    if people and people[0].is_ambiguous:
        doctors = (people[0].thing, *people[0].alternatives)
        yield Finding(Says.AMBIGUOUS, doctors[0], things=doctors)
        yield from (Finding(Says.OPTION, each, value=consults(asked, each)) for each in doctors)
        return
    for match in people[:MOST_PEOPLE]:
        yield from _doctor(asked, match.thing)


def find_doctors(asked: LookupQuestion) -> Iterator[Finding]:
    """Find who treats something: those who are known to, else everybody of its departments."""
    if not asked.departments:
        yield from _of_hospital(asked)
        yield from find_places(asked)
        return
    care, vocabulary = asked.care, asked.vocabulary
    if not care and (staffed := [w for w in asked.wards if vocabulary.doctors_in(w)]):
        # Not everybody of the departments that a ward belongs to works on it.
        for ward in staffed:
            yield from roster(asked, ward)
        yield from wards(asked)
        return
    known = list(dict.fromkeys(d for each in care for d in carers_of(vocabulary, each)))
    if care:
        yield from dealt_with(asked, care[0])
    if known:
        campuses = {*asked.campuses}
        there = [d for d in known if not campuses.isdisjoint(vocabulary.campuses_of(d))] or known
        fitting = asked.filters.keep(there, vocabulary) if asked.filters else ()
        yield from _chosen(asked, care[0], there, fitting, Says.OPTION)
    # Departments named, before those that follow from something else.
    named = asked.departments_of(*asked.named(Kind.DEPARTMENT, Kind.SPECIALTY))
    for department in (named or asked.departments)[:MOST_ROSTERS]:
        if not known:
            yield from elsewhere(asked, department)
            yield from roster(asked, department)
        yield from reach(asked, department)


def roster(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find every doctor of a department; where a day, a language or a campus is named, who is known
    to fit. When nobody is, that is said, and all are told."""
    everybody = asked.vocabulary.doctors_in(department)
    filters = asked.filters
    fitting = filters.keep(everybody, asked.vocabulary) if filters or filters.campuses else ()
    if not filters and len(fitting) == len(everybody):
        fitting = ()
    if not fitting and not (filters and everybody):
        yield Finding(Says.ROSTER, department, things=tuple(everybody))
        yield from (Finding(Says.MEMBER, each, value=consults(asked, each)) for each in everybody)
        return
    yield from _chosen(asked, department, everybody, fitting, Says.MEMBER)


def with_absences(findings: Iterable[Finding], today: date) -> Iterator[Finding]:
    """Replace the schedules of absent doctors by the date of their return."""
    for finding in findings:
        until = finding.about.get("absent_until")
        # Both are written as 2026-11-28.
        if finding.says not in SCHEDULED or until <= today.isoformat():
            yield finding
        elif finding.says is not Says.SCHEDULE:
            yield replace(finding, value="")
            if finding.says is Says.DOCTOR:
                yield Finding(Says.ABSENT, finding.about, value=until)


def carers_of(vocabulary: Vocabulary, thing: Thing) -> tuple[Thing, ...]:
    """Return the doctors who are known to treat, offer or perform something."""
    found = list(vocabulary.objects(thing, Predicate.TREATED_BY))
    for predicate in (Predicate.HANDLES, Predicate.OFFERS, Predicate.PERFORMS):
        found += vocabulary.subjects(thing, predicate)
    return tuple(dict.fromkeys(each for each in found if each.kind is Kind.DOCTOR))


def consults(asked: LookupQuestion, doctor: Thing) -> str:
    """Return when a doctor of a list consults, where a day or a time is asked for."""
    is_asked = asked.wants == "time" or asked.topic in ABOUT_HOURS or asked.filters.days
    return doctor.get("schedule") if is_asked else ""


def _doctor(asked: LookupQuestion, doctor: Thing) -> Iterator[Finding]:
    """Find where a doctor works, when they consult, and how their department is reached."""
    departments = asked.departments_of(doctor)
    yield Finding(Says.DOCTOR, doctor, things=departments)
    if schedule := doctor.get("schedule"):
        # At the campuses that are asked for; all of it where the doctor is at none of them.
        parts, keys = schedule.split("|"), {campus.key for campus in asked.filters.campuses}
        there = [part for part in parts if any(slot.campus in keys for slot in slots(part))]
        yield Finding(Says.SCHEDULE, doctor, value="|".join(there or parts))
    if languages := doctor.data.get("languages"):
        yield Finding(Says.SPEAKS, doctor, value="|".join(languages))
    for department in departments[:1]:
        yield from reach(asked, department)


def _chosen(
    asked: LookupQuestion,
    about: Thing,
    doctors: Sequence[Thing],
    fitting: Sequence[Thing],
    says: Says,
) -> Iterator[Finding]:
    """Say who of some doctors fits what is asked of them; that nobody does, and all, if so."""
    if fitting:
        yield Finding(Says.FILTERED, about, things=tuple(fitting), filters=asked.filters)
        says = Says.MEMBER
    elif asked.filters:
        yield Finding(Says.FILTERED_NONE, about, filters=asked.filters)
    for doctor in fitting or doctors:
        yield Finding(says, doctor, value=consults(asked, doctor))


def _of_hospital(asked: LookupQuestion) -> Iterator[Finding]:
    """Find who in the hospital speaks a language, and the department with most of them if they are
    only counted. Find nobody if only a day is given."""
    if not asked.filters.languages:
        return
    fitting = asked.filters.keep(asked.vocabulary.of_kind(Kind.DOCTOR), asked.vocabulary)
    told, others = fitting[:MOST_FITTING], fitting[MOST_FITTING:]
    if told:
        yield from _chosen(asked, told[0], told, told, Says.MEMBER)
    counted = Counter(place for doctor in others for place in asked.departments_of(doctor))
    if places := tuple(place for place, _ in counted.most_common(MOST_PLACES)):
        yield Finding(Says.FURTHER, others[0], things=places, value=str(len(others)))
