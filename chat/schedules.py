"""Consultation schedules: how a pack writes them, and how people read them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

#: The days of a pack's schedules, Monday first (spec 01).
DAYS = ("ma", "di", "wo", "do", "vr", "za", "zo")
_SLOT = re.compile(
    rf"(?P<first>{'|'.join(DAYS)})(?:-(?P<last>{'|'.join(DAYS)}))?\s+"
    r"(?P<start>\d{1,2}:\d{2})-(?P<end>\d{1,2}:\d{2})(?:@(?P<campus>[a-z0-9_-]+))?"
)

_ANY_DAY = rf"(?:{'|'.join(DAYS)})\b"
#: A day as a pack writes it: before another day, a time, or the end of a part.
_DAY = re.compile(rf"\b{_ANY_DAY}(?=\s*-\s*{_ANY_DAY}|\s+\d|\s*[,;]|\s*$|\s+\w+\s+{_ANY_DAY})")


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


class Sort(Enum):
    """What hours are for."""

    OPENING = "opening"
    VISITING = "visiting"


@dataclass(frozen=True, slots=True)
class Hours:
    """When a place is open, and when visitors are welcome."""

    opening: str = ""
    visiting: str = ""


def split_hours(hours: str, sort_of: Callable[[str], Sort | None]) -> Hours:
    """Tell the hours for visitors from the others: "raadpleging ma-vr 9:00-17:00; bezoek 14-20 u".

    A part of which nobody knows the sort continues the one before it.
    """
    parts: dict[Sort, list[str]] = {sort: [] for sort in Sort}
    sort = Sort.OPENING
    for part in filter(None, (piece.strip() for piece in hours.split(";"))):
        sort = sort_of(part) or sort
        parts[sort].append(part)
    return Hours("; ".join(parts[Sort.OPENING]), "; ".join(parts[Sort.VISITING]))


def said_days(hours: str, name: Callable[[int], str]) -> str:
    """Return hours with the names of days in full: "ma-vr" as "maandag-vrijdag"."""
    return _DAY.sub(lambda found: name(DAYS.index(found[0]) + 1) or found[0], hours)


def _days(slot: re.Match[str]) -> range:
    first = DAYS.index(slot["first"]) + 1
    return range(first, DAYS.index(slot["last"] or slot["first"]) + 2)
