"""Handlers, each of which finds the answer to one kind of look-up question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from taxonomy.facts.schedules import slots
from taxonomy.lookup.finding import Finding, FindingKind
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

#: Maximum conditions, treatments and examinations of an answer.
MOST_CARE = 2
#: The topic of questions about an appointment.
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
    """Find a department; for a question that names only a campus, all its departments."""
    if asked.care:
        yield from find_care(asked)
    elif asked.campuses and not asked.departments and asked.topic not in ABOUT_HOURS | ABOUT_ROUTE:
        for campus in asked.campuses:
            yield from _at_campus(asked, campus)
    else:
        yield from find_places(asked)


def find_care(asked: LookupQuestion) -> Iterator[Finding]:
    """Find the departments for a condition, treatment or examination; without one, find places.

    An examination that only some campuses offer is listed at those, not where its department is.
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
                yield (
                    replace(found, things=own) if own and found.kind is FindingKind.PLACE else found
                )


def find_booking(asked: LookupQuestion) -> Iterator[Finding]:
    """Find how to make an appointment with a department or how to reach it."""
    if not asked.departments:
        yield from find_places(asked)
        return
    department = asked.departments[0]
    for thing in asked.care[:1]:
        yield from dealt_with(asked, thing)
    yield Finding(
        FindingKind.BOOKED_AT if asked.topic == BOOKS else FindingKind.REACHED, department
    )
    yield from contact(asked, department)
    if asked.topic != BOOKS:
        for campus in asked.campuses:
            yield from _campus(asked, campus)


def wards(asked: LookupQuestion) -> Iterator[Finding]:
    """Find the departments of wards that the question names by code."""
    for ward in asked.wards:
        yield Finding(FindingKind.PART_OF, ward, things=asked.parents_of(ward))
        yield from contact(asked, ward)


def _department(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    if asked.topic == VISITING:
        yield from visiting(asked, department)
        yield from reach(asked, department)
        return
    hours = tuple(opening(asked, department)) or tuple(visiting(asked, department))
    # A department at several campuses may have other hours at this one, which are on pages.
    is_one = not asked.campuses or len(asked.vocabulary.campuses_of(department)) < 2
    is_first = asked.topic == HOURS and is_one
    if is_first:
        yield from (*hours, *visiting(asked, department))
    yield from elsewhere(asked, department)
    # Whether the department was derived from complaints instead of named.
    follows = any(m.thing == department and m.by == FROM_CONDITION for m in asked.matches)
    yield Finding(
        FindingKind.SUITED if follows and not asked.care else FindingKind.REACHED, department
    )
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
        yield Finding(FindingKind.AT_CAMPUS, campus, things=tuple(departments))
        yield from (Finding(FindingKind.DEPARTMENT, each) for each in departments)


#: Maximum doctors described in full.
MOST_PEOPLE = 3
#: Statements that contain a doctor's schedule.
SCHEDULED = frozenset(
    {FindingKind.DOCTOR, FindingKind.SCHEDULE, FindingKind.MEMBER, FindingKind.OPTION}
)
#: Maximum departments whose doctors are listed.
MOST_ROSTERS = 2
#: Maximum doctors listed for the whole hospital, and departments named for the others.
MOST_FITTING, MOST_PLACES = 12, 6


def find_named(asked: LookupQuestion) -> Iterator[Finding]:
    """Find the doctors that a question names; list all who fit equally well."""
    people = [match for match in asked.matches if match.thing.kind is Kind.DOCTOR]
    if people and people[0].is_ambiguous:
        doctors = (people[0].thing, *people[0].alternatives)
        yield Finding(FindingKind.AMBIGUOUS, doctors[0], things=doctors)
        yield from _listed(asked, FindingKind.OPTION, doctors)
        return
    for match in people[:MOST_PEOPLE]:
        yield from _doctor(asked, match.thing)


def find_doctors(asked: LookupQuestion) -> Iterator[Finding]:
    """Find the doctors who treat something, or else all doctors of its departments."""
    if not asked.departments:
        yield from _of_hospital(asked)
        yield from find_places(asked)
        return
    care, vocabulary = asked.care, asked.vocabulary
    if not care and (staffed := [w for w in asked.wards if vocabulary.doctors_in(w)]):
        # Only some doctors of a department work on its ward.
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
        yield from _chosen(asked, care[0], there, fitting, FindingKind.OPTION)
    # Named departments take precedence over derived ones.
    named = asked.departments_of(*asked.named(Kind.DEPARTMENT, Kind.SPECIALTY))
    for department in (named or asked.departments)[:MOST_ROSTERS]:
        if not known:
            yield from elsewhere(asked, department)
            yield from roster(asked, department)
        yield from reach(asked, department)


def roster(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find the doctors of a department that match the filters.

    If none is known to match, find a statement about that, and all doctors.
    """
    everybody = asked.vocabulary.doctors_in(department)
    filters = asked.filters
    fitting = filters.keep(everybody, asked.vocabulary) if filters or filters.campuses else ()
    if not filters and len(fitting) == len(everybody):
        fitting = ()
    if not fitting and not (filters and everybody):
        yield Finding(FindingKind.ROSTER, department, things=tuple(everybody))
        yield from _listed(asked, FindingKind.MEMBER, everybody)
        return
    yield from _chosen(asked, department, everybody, fitting, FindingKind.MEMBER)


def with_absences(findings: Iterable[Finding], today: date) -> Iterator[Finding]:
    """Replace the schedules of absent doctors by the date of their return."""
    for finding in findings:
        until = finding.about.get("absent_until")
        # Both are ISO dates.
        if finding.kind not in SCHEDULED or until <= today.isoformat():
            yield finding
        elif finding.kind is not FindingKind.SCHEDULE:
            yield replace(finding, value="")
            if finding.kind is FindingKind.DOCTOR:
                yield Finding(FindingKind.ABSENT, finding.about, value=until)


def carers_of(vocabulary: Vocabulary, thing: Thing) -> tuple[Thing, ...]:
    """Return the doctors who treat, offer or perform something."""
    found = list(vocabulary.objects(thing, Predicate.TREATED_BY))
    for predicate in (Predicate.HANDLES, Predicate.OFFERS, Predicate.PERFORMS):
        found += vocabulary.subjects(thing, predicate)
    return tuple(dict.fromkeys(each for each in found if each.kind is Kind.DOCTOR))


def _listed(
    asked: LookupQuestion, kind: FindingKind, doctors: Iterable[Thing]
) -> Iterator[Finding]:
    """Find the doctors of a list, with their schedules if the question is about days or times."""
    has_times = asked.wants == "time" or asked.topic in ABOUT_HOURS or asked.filters.days
    for doctor in doctors:
        yield Finding(kind, doctor, value=doctor.get("schedule") if has_times else "")


def _doctor(asked: LookupQuestion, doctor: Thing) -> Iterator[Finding]:
    """Find a doctor's departments, schedule and languages, and how to reach the department."""
    departments = asked.departments_of(doctor)
    yield Finding(FindingKind.DOCTOR, doctor, things=departments)
    if schedule := doctor.get("schedule"):
        # Only the campuses in the question, unless the doctor is at none of them.
        parts, keys = schedule.split("|"), {campus.key for campus in asked.filters.campuses}
        there = [part for part in parts if any(slot.campus in keys for slot in slots(part))]
        yield Finding(FindingKind.SCHEDULE, doctor, value="|".join(there or parts))
    if languages := doctor.data.get("languages"):
        yield Finding(FindingKind.SPEAKS, doctor, value="|".join(languages))
    for department in departments[:1]:
        yield from reach(asked, department)


def _chosen(
    asked: LookupQuestion,
    about: Thing,
    doctors: Sequence[Thing],
    fitting: Sequence[Thing],
    item: FindingKind,
) -> Iterator[Finding]:
    """Find the doctors who match the filters; if none does, a statement about that and all."""
    if fitting:
        yield Finding(FindingKind.FILTERED, about, things=tuple(fitting), filters=asked.filters)
        item = FindingKind.MEMBER
    elif asked.filters:
        yield Finding(FindingKind.FILTERED_NONE, about, filters=asked.filters)
    yield from _listed(asked, item, fitting or doctors)


def _of_hospital(asked: LookupQuestion) -> Iterator[Finding]:
    """Find the doctors of the hospital who speak a language; beyond a limit, their departments."""
    if not asked.filters.languages:
        return
    fitting = asked.filters.keep(asked.vocabulary.of_kind(Kind.DOCTOR), asked.vocabulary)
    listed, others = fitting[:MOST_FITTING], fitting[MOST_FITTING:]
    if listed:
        yield from _chosen(asked, listed[0], listed, listed, FindingKind.MEMBER)
    counted = Counter(place for doctor in others for place in asked.departments_of(doctor))
    if places := tuple(place for place, _ in counted.most_common(MOST_PLACES)):
        yield Finding(FindingKind.FURTHER, others[0], things=places, value=str(len(others)))
