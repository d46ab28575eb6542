"""Consultation schedules: how a pack writes them, and how people read them."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: The days of a pack's schedules, Monday first (spec 01).
DAYS = ("ma", "di", "wo", "do", "vr", "za", "zo")
_SLOT = re.compile(
    rf"(?P<first>{'|'.join(DAYS)})(?:-(?P<last>{'|'.join(DAYS)}))?\s+"
    r"(?P<start>\d{1,2}:\d{2})-(?P<end>\d{1,2}:\d{2})(?:@(?P<campus>[a-z0-9_-]+))?"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """One consultation: the day counted from 1 for Monday, and where."""

    day: int
    start: str
    end: str
    campus: str = ""


def slots(schedule: str) -> tuple[Slot, ...]:
    """Return the consultations of a schedule such as "ma-vr 9:00-12:00@sint-jan|za 9:00-11:00".

    Several days are told one by one.
    """
    found = (_SLOT.fullmatch(part.strip()) for part in schedule.split("|"))
    return tuple(
        Slot(day, match["start"], match["end"], match["campus"] or "")
        for match in found
        if match
        for day in _days(match)
    )


def _days(slot: re.Match[str]) -> range:
    first = DAYS.index(slot["first"]) + 1
    return range(first, DAYS.index(slot["last"] or slot["first"]) + 2)
