"""How an appointment is made with a department."""

from __future__ import annotations

from collections.abc import Iterator

from chat.lookup.asked import Asked, contact
from chat.lookup.care import dealt_with
from chat.lookup.departments import find_departments
from chat.lookup.finding import Finding, Says


def book(asked: Asked) -> Iterator[Finding]:
    """Tell whom to call for an appointment, and where that is."""
    if not asked.departments:
        yield from find_departments(asked)
        return
    department = asked.departments[0]
    for thing in asked.care[:1]:
        yield from dealt_with(asked, thing)
    yield Finding(Says.BOOKED_AT, department)
    yield from contact(asked, department)
