"""Departments and campuses: where something is, is dealt with or booked, and when it is open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from taxonomy.kinds import Kind, Predicate
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
from taxonomy.vocabulary import Thing
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
    yield Finding(Says.SUITED if asked.suits(department) else Says.REACHED, department)
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
