"""Doctors: who somebody is, who works somewhere, and who treats something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from taxonomy.facts.schedules import slots
from taxonomy.kinds import Kind, Predicate
from taxonomy.lookup.departments import find_places, wards
from taxonomy.lookup.finding import Finding, Says
from taxonomy.lookup.question import ABOUT_HOURS, LookupQuestion, dealt_with, elsewhere, reach
from taxonomy.vocabulary import Thing, Vocabulary

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
        there = vocabulary.at_campuses(known, asked.campuses)
        fitting = asked.filters.keep(there, vocabulary) if asked.filters else ()
        yield from _chosen(asked, care[0], there, fitting, Says.OPTION)
    for department in _places(asked)[:MOST_ROSTERS]:
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
    """Say of doctors who are away when they are back, and not when they consult."""
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
        yield Finding(Says.SCHEDULE, doctor, value=_at(schedule, asked.filters.campuses))
    if languages := doctor.data.get("languages"):
        yield Finding(Says.SPEAKS, doctor, value="|".join(languages))
    for department in departments[:1]:
        yield from reach(asked, department)


def _at(schedule: str, campuses: Sequence[Thing]) -> str:
    """Return the part of a schedule at campuses that are asked for; all of it where none is."""
    parts, keys = schedule.split("|"), {campus.key for campus in campuses}
    there = [part for part in parts if any(slot.campus in keys for slot in slots(part))]
    return "|".join(there or parts)


def _places(asked: LookupQuestion) -> tuple[Thing, ...]:
    """Return the departments named, before those that follow from something else."""
    named = asked.departments_of(*asked.named(Kind.DEPARTMENT, Kind.SPECIALTY))
    return named or asked.departments


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
    """Find who of a whole hospital speaks a language, and where the most of those are who are only
    counted. A day alone would choose nobody."""
    if not asked.filters.languages:
        return
    fitting = asked.filters.keep(asked.vocabulary.of_kind(Kind.DOCTOR), asked.vocabulary)
    told, others = fitting[:MOST_FITTING], fitting[MOST_FITTING:]
    if told:
        yield from _chosen(asked, told[0], told, told, Says.MEMBER)
    counted = Counter(place for doctor in others for place in asked.departments_of(doctor))
    if places := tuple(place for place, _ in counted.most_common(MOST_PLACES)):
        yield Finding(Says.FURTHER, others[0], things=places, value=str(len(others)))
