"""Where a department or a campus is, how it is reached and when it is open, and its card; where a
condition, treatment or examination is dealt with, and how an appointment is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from chat.behaviours import Behaviour
from chat.lookup.finding import Finding, Says
from chat.lookup.lookup_question import (
    ABOUT_HOURS,
    ABOUT_ROUTE,
    MOST_DEPARTMENTS,
    LookupQuestion,
    asked_of,
    contact,
    elsewhere,
    hours,
    reach,
)
from chat.phrases import phrases_of
from chat.turn import Context
from taxonomy.facts.days import split_hours
from taxonomy.kinds import Kind, Predicate
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing
from zol.text import fold, web_address

#: Things of care that one question is answered about.
MOST_CARE = 2
#: Answers that send nobody to a department.
SENDS_NOBODY = (Behaviour.EMERGENCY, Behaviour.BLOCK_ATTACK, Behaviour.REFUSE_OTHER_HOSPITAL)


def find_departments(asked: LookupQuestion) -> Iterator[Finding]:
    """Tell about the departments and campuses that a question names."""
    yield from wards(asked)
    for department in asked.departments[:MOST_DEPARTMENTS]:
        yield from tell_department(asked, department)
    if not asked.departments or asked.meant.topic in ABOUT_ROUTE:
        for campus in asked.campuses:
            yield from tell_campus(asked, campus)


def find_at_campus(asked: LookupQuestion) -> Iterator[Finding]:
    """Tell which departments a campus has, when that is asked and nothing else is."""
    if not asked.lists_departments or asked.departments:
        return
    for campus in asked.campuses:
        there = asked.vocabulary.subjects(campus, Predicate.LOCATED_AT)
        departments = [
            each for each in there if each.kind is Kind.DEPARTMENT and not asked.is_ward_code(each)
        ]
        departments.sort(key=lambda each: fold(each.name))
        if departments:
            yield Finding(Says.AT_CAMPUS, campus, things=tuple(departments))
            yield from (Finding(Says.DEPARTMENT, each) for each in departments)


def wards(asked: LookupQuestion) -> Iterator[Finding]:
    """Tell what a ward that is named by its code is a part of, before anything else."""
    for ward in asked.wards:
        yield Finding(Says.PART_OF, ward, things=asked.parents_of(ward))
        yield from contact(asked, ward)


def tell_department(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    if asked.is_visit:
        yield from visiting_hours(asked, department)
        yield from reach(asked, department)
        return
    about_hours = tuple(hours(asked, department, visiting=False))
    # A ward has no hours but those for visitors.
    about_hours = about_hours or tuple(hours(asked, department, visiting=True))
    is_first = asked.meant.topic in ABOUT_HOURS and not asked.may_be_visit
    # Its hours may be others at the campus that is meant: pages tell.
    is_first &= not asked.campuses or len(asked.vocabulary.campuses_of(department)) < 2
    if asked.may_be_visit:
        yield from visiting_hours(asked, department)
    if is_first:
        yield from about_hours
    yield from elsewhere(asked, department)
    yield Finding(Says.SUITED if asked.follows(department) else Says.REACHED, department)
    yield from contact(asked, department)
    if not is_first:
        yield from about_hours


def visiting_hours(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Tell when visitors are welcome: at the place itself, else at the wards that belong to it."""
    own = tuple(hours(asked, department, visiting=True))
    yield from own
    if own:
        return
    for ward in asked.vocabulary.subjects(department, Predicate.PART_OF):
        yield from hours(asked, ward, visiting=True)


def tell_campus(asked: LookupQuestion, campus: Thing) -> Iterator[Finding]:
    if asked.meant.topic in ABOUT_HOURS:
        yield from hours(asked, campus, visiting=asked.is_visit)
    if address := address_of(campus):
        yield Finding(Says.ADDRESS, campus, value=address)
    if phone := campus.get("phone"):
        yield Finding(Says.PHONE, campus, value=phone)


def tell_care(asked: LookupQuestion) -> Iterator[Finding]:
    """Tell where what is named is dealt with; without any such thing, tell about departments."""
    if not asked.care:
        yield from find_departments(asked)
        return
    for thing in asked.care[:MOST_CARE]:
        yield from dealt_with(asked, thing)
        for department in asked.departments_of(thing)[:MOST_DEPARTMENTS]:
            yield from elsewhere(asked, department)
            yield from at_own_campuses(asked, thing, reach(asked, department))


def at_own_campuses(
    asked: LookupQuestion, thing: Thing, found: Iterable[Finding]
) -> Iterator[Finding]:
    """Yield how a department is reached; at the campuses that have the thing, where known."""
    having = asked.vocabulary.subjects(thing, Predicate.HAS_FACILITY)
    own = tuple(each for each in having if each.kind is Kind.CAMPUS)
    for finding in found:
        yield replace(finding, things=own) if own and finding.says is Says.PLACE else finding


def dealt_with(asked: LookupQuestion, thing: Thing) -> Iterator[Finding]:
    if departments := asked.departments_of(thing):
        yield Finding(Says.DEALT_WITH, thing, things=departments)


#: Topics of questions that want an appointment, rather than a number or an address.
BOOKS = frozenset({"appointment"})


def book(asked: LookupQuestion) -> Iterator[Finding]:
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


def contact_of(ctx: Context, snapshot: Snapshot) -> dict[str, Any]:
    """Return the card of the department that somebody is sent to; empty when there is none."""
    if ctx.reply.cached or ctx.reply.contact:
        return dict(ctx.reply.contact)
    if ctx.behaviour in SENDS_NOBODY:
        return {}
    asked = asked_of(ctx.understanding, snapshot)
    department = next(iter((*ctx.published.routed, *asked.departments)), None)
    if department is None:
        return {}
    campuses = snapshot.vocabulary.campuses_of(department)
    hours = split_hours(department.get("hours"), asked.sort_of).opening
    return {
        "name": department.name,
        "phone": department.get("phone")
        or next(filter(None, (c.get("phone") for c in campuses)), ""),
        "email": department.get("email"),
        "hours": phrases_of(snapshot).hours(hours, ctx.understanding.language),
        "places": [{"name": campus.name, "address": address_of(campus)} for campus in campuses],
        "url": web_address(department.url),
    }


def address_of(campus: Thing) -> str:
    town = f"{campus.get('postcode')} {campus.get('city')}".strip()
    return ", ".join(part for part in (campus.get("street"), town) if part)
