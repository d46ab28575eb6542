"""Opening hours: weekly rows, periods, exceptions by date, public holidays.

They also answer whether a place is open at a moment and when it opens next. All times are local
times of the hospital, so daylight saving needs no handling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby, pairwise
from typing import Self, TypeVar

from taxonomy.dates.words import is_holiday
from taxonomy.facts.parts import BETWEEN, NOTE, Texts, Value, ValuePart
from taxonomy.facts.phrases import schedule_words, words_for
from taxonomy.facts.schedules import DAYS, Consultation, parse
from zol.records.values import WrongValue
from zol.text import fold
from zol.text import marked as _

#: Days in which to search for the next opening.
FAR = 400
ALL_DAY = 24 * 60


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A time range in minutes since midnight."""

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
Held = TypeVar("Held")
#: Seven days, Monday first.
Week = tuple[Spans, ...]
WHOLE_DAY: Spans = (Span(0, ALL_DAY),)


def clock(minutes: int) -> str:
    """Format a time: "9:00"."""
    return f"{minutes // 60}:{minutes % 60:02}"


@dataclass(frozen=True, slots=True)
class Dates:
    """A date range of one year, or of every year ("12-25")."""

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
                    _("“%(part)s” is not a date: write 2026-12-24, or 12-24 for every year."), each
                ) from None
        if len(first) != len(last) or first > last:
            raise WrongValue(_("“%(part)s”: put the first day before the last."), text)
        return cls(first, last)

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first}/{self.last}"

    def __contains__(self, day: date) -> bool:
        written = day.isoformat()[-len(self.first) :]
        return self.first <= written <= self.last


def _week(text: str) -> Week:
    if fold(text) in words_for("always"):
        return (WHOLE_DAY,) * 7
    days: list[list[Span]] = [[] for _day in DAYS]
    for row in parse(text):
        if row.campus:
            raise WrongValue(
                _("“%(part)s”: set the campus under the conditions, not here."), f"@{row.campus}"
            )
        span = Span.between(row.start, row.end)
        for day in range(row.first, row.last + 1):
            days[day - 1].append(span)
    return tuple(_in_order(spans) for spans in days)


def _in_order(spans: Iterable[Span]) -> Spans:
    ordered = tuple(sorted(set(spans)))
    for one, other in pairwise(ordered):
        if other.start < one.end:
            raise WrongValue(_("“%(part)s”: these hours overlap; correct them."), f"{one}, {other}")
    return ordered


def _dated(text: str, read: Callable[[str], Held]) -> tuple[tuple[Dates, Held], ...]:
    """Parse lines that begin with dates."""
    lines = (line.strip().partition(" ") for line in text.split(BETWEEN) if line.strip())
    return tuple((Dates.parse(dates), read(held)) for dates, _space, held in lines)


def _spans(text: str) -> Spans:
    if fold(text) in words_for("closed"):
        return ()
    return _week(f"ma {text}")[0]


def _on_holidays(text: str) -> Spans | int:
    role, day = schedule_words()[0].get(fold(text), ("", ""))
    return int(day) if role == "days" and day.isdigit() else _spans(text)


def _written_spans(spans: Spans) -> str:
    return ", ".join(map(str, spans)) or "gesloten"


def _rows(week: Week) -> Iterator[str]:
    for days, spans in runs(week):
        for span in spans:
            yield str(Consultation(days[0], days[-1], clock(span.start), clock(span.end)))


def runs(week: Week) -> Iterator[tuple[list[int], Spans]]:
    """Yield consecutive days, from 1, with the same hours, without closed days."""
    for spans, days in groupby(range(7), key=week.__getitem__):
        if spans:
            yield [day + 1 for day in days], spans


def _written_week(week: Week) -> str:
    is_always = all(spans == WHOLE_DAY for spans in week)
    return "dag en nacht" if is_always else f"{BETWEEN} ".join(_rows(week))


@dataclass(frozen=True, slots=True)
class Hours(Value):
    """Opening or visiting hours."""

    KIND = "hours"
    PARTS = (
        ValuePart(
            "week", _("every week"),
            _("Days and hours, one per line: ma-vr 9:00-12:00. Write “day and night” for "
              "always."),
            is_main=True, is_long=True, is_required=True, read=_week, write=_written_week,
        ),
        ValuePart(
            "periods", _("in a part of the year"),
            _("One per line: 2026-07-01/2026-08-31 ma-vr 9:00-12:00. These hours replace "
              "the weekly hours in that period."),
            is_long=True, read=lambda text: _dated(text, _week),
            write=lambda periods: f"{BETWEEN} ".join(
                f"{dates} {row}" for dates, week in periods for row in _rows(week)
            ),
        ),
        ValuePart(
            "dates", _("exceptions"),
            _("One per line: 2026-12-24 9:00-12:00, or 12-25 closed for every year."),
            is_long=True, read=lambda text: _dated(text, _spans),
            write=lambda dates: f"{BETWEEN} ".join(
                f"{days} {_written_spans(spans)}" for days, spans in dates
            ),
        ),
        ValuePart(
            "holidays", _("public holidays"),
            _("Write “closed”, hours such as 10:00-12:00, or a weekday whose hours apply "
              "(zo). If empty, the usual hours apply."),
            read=_on_holidays,
            write=lambda held: DAYS[held - 1] if isinstance(held, int) else _written_spans(held),
        ),
        NOTE,
    )  # fmt: skip

    week: Week
    periods: tuple[tuple[Dates, Week], ...] = ()
    dates: tuple[tuple[Dates, Spans], ...] = ()
    #: None if holidays are ordinary days; or the weekday, from 1, whose hours apply.
    holidays: Spans | int | None = None
    note: Texts = ()

    def on(self, day: date, country: str) -> Spans:
        """Return the time ranges of a day; empty if closed."""
        for dates, spans in self.dates:
            if day in dates:
                return spans
        weeks = [week for dates, week in self.periods if day in dates] or [self.week]
        weekday = day.weekday()
        if self.holidays is not None and is_holiday(day, country):
            if not isinstance(self.holidays, int):
                return self.holidays
            weekday = self.holidays - 1
        return tuple(sorted({span for week in weeks for span in week[weekday]}))

    def open_until(self, moment: datetime, country: str) -> datetime | None:
        """Return the closing time of the opening at a moment, across midnight; None if closed."""
        end, day = moment, moment.date()
        for _day in range(FAR):
            until = _end_of(self.on(day, country), _minutes(end) if end.date() == day else 0)
            if until is None:
                break
            end = _moment(day, until, moment)
            if until < ALL_DAY:
                break
            day = end.date()
        return end if end > moment else None

    def is_open(self, moment: datetime, country: str) -> bool:
        return _end_of(self.on(moment.date(), country), _minutes(moment)) is not None

    def next_opening(self, moment: datetime, country: str) -> datetime | None:
        """Return the first opening after a moment; None if there is none."""
        for ahead in range(FAR):
            day = moment.date() + timedelta(days=ahead)
            for span in self.on(day, country):
                opens = _moment(day, span.start, moment)
                if opens > moment and not self.is_open(opens - timedelta(minutes=1), country):
                    return opens
        return None


def _minutes(moment: datetime) -> int:
    return moment.hour * 60 + moment.minute


def _moment(day: date, minutes: int, like: datetime) -> datetime:
    day += timedelta(days=minutes // ALL_DAY)
    return datetime.combine(day, time(minutes % ALL_DAY // 60, minutes % 60), like.tzinfo)


def _end_of(spans: Spans, minutes: int) -> int | None:
    return next((span.end for span in spans if span.start <= minutes < span.end), None)
