"""Where a condition, treatment or examination is dealt with, and how an appointment is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from chat.lookup.asked import MOST_DEPARTMENTS, Asked, contact, elsewhere, reach
from chat.lookup.departments import find_departments, tell_campus
from chat.lookup.finding import Finding, Says
from taxonomy.kinds import Kind, Predicate
from taxonomy.vocabulary import Thing

#: Things of care that one question is answered about.
MOST_CARE = 2


def tell_care(asked: Asked) -> Iterator[Finding]:
    """Tell where what is named is dealt with; without any such thing, tell about departments."""
    if not asked.care:
        yield from find_departments(asked)
        return
    for thing in asked.care[:MOST_CARE]:
        yield from dealt_with(asked, thing)
        for department in asked.departments_of(thing)[:MOST_DEPARTMENTS]:
            yield from elsewhere(asked, department)
            yield from at_own_campuses(asked, thing, reach(asked, department))


def at_own_campuses(asked: Asked, thing: Thing, found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield how a department is reached; at the campuses that have the thing, where known."""
    having = asked.vocabulary.subjects(thing, Predicate.HAS_FACILITY)
    own = tuple(each for each in having if each.kind is Kind.CAMPUS)
    for finding in found:
        yield replace(finding, things=own) if own and finding.says is Says.PLACE else finding


def dealt_with(asked: Asked, thing: Thing) -> Iterator[Finding]:
    if departments := asked.departments_of(thing):
        yield Finding(Says.DEALT_WITH, thing, things=departments)


#: Topics of questions that want an appointment, rather than a number or an address.
BOOKS = frozenset({"appointment"})


def book(asked: Asked) -> Iterator[Finding]:
    """Tell whom to call for an appointment, or to change one, and where that is."""
    if not asked.departments:
        yield from find_departments(asked)
        return
    department = asked.departments[0]
    for thing in asked.care[:1]:
        yield from dealt_with(asked, thing)
    books = asked.meant.topic in BOOKS and not (
        asked.changes_appointment or asked.without_appointment
    )
    yield Finding(Says.BOOKED_AT if books else Says.REACHED, department)
    yield from contact(asked, department)
    if not books:
        for campus in asked.campuses:
            yield from tell_campus(asked, campus)
