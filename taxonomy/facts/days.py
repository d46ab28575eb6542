"""Days and times of day: spans, weeks, dates that come back, the holidays of a country."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Self

import holidays

from zol.text import marked as _
from zol.values import WrongValue

ALL_DAY = 24 * 60


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From and to, in minutes since midnight."""

    start: int
    end: int

    @classmethod
    def between(cls, start: str, end: str) -> Self:
        """Return the span between two times such as "9:30"."""
        (hour, minute), (last_hour, last) = (map(int, each.split(":")) for each in (start, end))
        return cls(hour * 60 + minute, last_hour * 60 + last)

    def __str__(self) -> str:
        return f"{clock(self.start)}-{clock(self.end)}"


Spans = tuple[Span, ...]
#: Seven days, Monday first.
Week = tuple[Spans, ...]
WHOLE_DAY: Spans = (Span(0, ALL_DAY),)


def clock(minutes: int) -> str:
    """Return a time as it is written: "9:00"."""
    return f"{minutes // 60}:{minutes % 60:02}"


@dataclass(frozen=True, slots=True)
class Dates:
    """Days in a row: of one year, or of every year ("12-25")."""

    first: str
    last: str

    @classmethod
    def parse(cls, text: str) -> Self:
        first, _slash, last = (piece.strip() for piece in text.partition("/"))
        last = last or first
        for each in (first, last):
            try:
                date.fromisoformat(each if len(each) == 10 else f"2028-{each}")
            except ValueError:
                raise WrongValue(
                    _("“%(part)s” is no date such as 2026-12-24, or 12-24 for every year."), each
                ) from None
        if len(first) != len(last) or first > last:
            raise WrongValue(_("“%(part)s”: the days are the wrong way round."), text)
        return cls(first, last)

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first}/{self.last}"

    def __contains__(self, day: date) -> bool:
        written = day.isoformat()[-len(self.first) :]
        return self.first <= written <= self.last


@lru_cache(maxsize=64)
def _holidays_of(country: str, year: int) -> frozenset[date]:
    try:
        return frozenset(holidays.country_holidays(country.upper(), years=year))
    except NotImplementedError:  # A country whose holidays nobody has written down.
        return frozenset()


def is_holiday(day: date, country: str) -> bool:
    """Say whether a day is a public holiday of a country."""
    return day in _holidays_of(country, day.year)
