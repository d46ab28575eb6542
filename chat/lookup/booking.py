"""How an appointment is made with a department."""

from __future__ import annotations

from collections.abc import Iterator

from chat.lookup.asked import Asked, contact
from chat.lookup.care import dealt_with
from chat.lookup.departments import find_departments, tell_campus
from chat.lookup.finding import Finding, Says

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
