"""How far answers were off the subject asked about: by day, and by row of the matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet
from django.db.models.functions import TruncDate

from retrieval.models import CategoryMismatch

#: From this share on, most of what an answer was made from was off the subject.
HIGH = 0.6
#: Days that a chart shows at most.
MOST_DAYS = 90
#: The chart's own units: a bar's place and the height of a rate of 1.
STEP, GAP, HEIGHT = 12, 3, 100


@dataclass(frozen=True, slots=True)
class Measured:
    """Answers that belong together, and how far they were off."""

    answers: int
    #: Mean share of the best passages that were off the subject.
    rate: float
    #: Answers of which most were.
    high: int


@dataclass(frozen=True, slots=True)
class Day(Measured):
    day: date


@dataclass(frozen=True, slots=True)
class Row(Measured):
    """A row of the steering matrix, or an intent, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A day as it is drawn."""

    x: int
    y: float
    height: float
    day: Day


_MEASURES = {
    "answers": Count("pk"),
    "rate": Avg("mismatch_rate"),
    "high": Count("pk", filter=Q(mismatch_rate__gt=HIGH)),
}


def overall(rows: QuerySet[CategoryMismatch]) -> Measured:
    return Measured(**_rounded(rows.order_by().aggregate(**_MEASURES)))


def by_day(rows: QuerySet[CategoryMismatch]) -> tuple[Day, ...]:
    """Return the last days on which something was measured, oldest first."""
    found = rows.order_by().annotate(day=TruncDate("created_at")).values("day")
    newest = found.annotate(**_MEASURES).order_by("-day")[:MOST_DAYS]
    return tuple(Day(**_rounded(each), day=each["day"]) for each in reversed(newest))


def by_name(rows: QuerySet[CategoryMismatch], field: str) -> tuple[Row, ...]:
    """Return what was measured for each value of a field, worst first."""
    found = rows.order_by().values(field).annotate(**_MEASURES).order_by("-rate", field)
    return tuple(Row(**_rounded(each), name=each[field]) for each in found)


def bars(days: tuple[Day, ...]) -> tuple[Bar, ...]:
    """Return the bars of a chart; a day without any mismatch is a line on the ground."""
    drawn = []
    for place, day in enumerate(days):
        height = max(1.0, round(day.rate * HEIGHT, 1))
        drawn.append(Bar(place * STEP + GAP, round(HEIGHT - height, 1), height, day))
    return tuple(drawn)


def _rounded(values: Mapping[str, Any]) -> dict[str, Any]:
    rate = round(values["rate"] or 0.0, 4)
    return {"answers": int(values["answers"]), "rate": rate, "high": int(values["high"])}
