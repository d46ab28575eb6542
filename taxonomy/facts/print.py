"""Formatting of values as part of a sentence in the patient's language.

Texts without a translation are printed in English, else in the hospital's language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import singledispatch

from taxonomy.dates.reading import day_name_of, holiday
from taxonomy.dates.words import Calendar
from taxonomy.facts.hours import WHOLE_DAY, Dates, Hours, Spans, Week, clock, runs
from taxonomy.facts.parts import Texts, Value, best_text
from taxonomy.facts.phrases import (
    FALLBACK,
    day_name,
    listed,
    long_date,
    measured,
    money,
    number,
    phrase,
)
from taxonomy.facts.values import ContactValue, Duration, Items, Money, PlaceValue, TextValue, YesNo


def format_value(
    value: Value, language: str, *, own: str = "nl", name: Callable[[str], str] = str
) -> str:
    """Format a value as part of a sentence.

    `own` is the hospital's language; `name` returns the name of a campus by its key.
    """
    return _format(value, Printer(language, own, name))


@dataclass(frozen=True, slots=True)
class Printer:
    """Target language, the hospital's language, and a function for names of campuses."""

    language: str
    own: str
    name: Callable[[str], str] = str

    def phrase(self, key: str, **values: object) -> str:
        return phrase(key, self.language, **values)

    def text(self, texts: Texts) -> str:
        return best_text(texts, self.language, FALLBACK, self.own)[1]

    def with_note(self, text: str, note: Texts) -> str:
        remark = self.text(note)
        return f"{text} ({remark})" if remark and text else text or remark


@singledispatch
def _format(value: Value, printer: Printer) -> str:
    raise NotImplementedError(type(value))


@_format.register
def _hours(value: Hours, printer: Printer) -> str:
    parts = [format_week(value.week, printer)]
    for dates, week in value.periods:
        parts.append(f"{_dates(dates, printer)}: {format_week(week, printer)}")
    if isinstance(value.holidays, int):
        parts.append(
            printer.phrase("holidays_like", day=day_name(value.holidays, printer.language))
        )
    elif value.holidays is not None:
        closed, hours = printer.phrase("holidays_closed"), _spans(value.holidays, printer)
        parts.append(f"{printer.phrase('holidays')} {hours}" if value.holidays else closed)
    parts += [f"{_dates(dates, printer)}: {_spans(spans, printer)}" for dates, spans in value.dates]
    return printer.with_note("; ".join(parts), value.note)


@_format.register
def _money(value: Money, printer: Printer) -> str:
    amounts = dict.fromkeys((value.low, value.high))
    shown = " – ".join(money(amount, value.unit, printer.language) for amount in amounts)
    text = shown if value.high else printer.phrase("free")
    if value.per and value.high:
        text = f"{text} {printer.phrase(f'per_{value.per}')}"
    if whom := printer.text(value.whom):
        text = f"{whom}: {text}"
    parts = [text]
    if value.free:
        time = measured(*value.free, printer.language)
        parts.append(printer.phrase("first_free", time=time))
    if value.maximum is not None:
        most = money(value.maximum, value.unit, printer.language)
        per = f" {printer.phrase(f'per_{value.maximum_per}')}" if value.maximum_per else ""
        parts.append(printer.phrase("at_most", amount=most) + per)
    return printer.with_note(", ".join(parts), value.note)


@_format.register
def _duration(value: Duration, printer: Printer) -> str:
    text = measured(value.high, value.unit, printer.language)
    if value.low != value.high:
        high = number(value.high, printer.language)
        text = text.replace(high, f"{number(value.low, printer.language)}-{high}", 1)
    return printer.with_note(text, value.note)


@_format.register
def _place(value: PlaceValue, printer: Printer) -> str:
    parts = [printer.name(value.campus) if value.campus else "", value.address]
    parts.append(value.block and printer.phrase("block", place=value.block))
    key = "ground_floor" if value.floor == "0" else "floor"
    parts.append(value.floor and printer.phrase(key, place=value.floor))
    parts.append(value.route and printer.phrase("route", place=value.route))
    parts.append(value.room and printer.phrase("room", place=value.room))
    return printer.with_note(", ".join(filter(None, parts)), value.note)


@_format.register
def _contact(value: ContactValue, printer: Printer) -> str:
    parts = []
    if value.phones:
        phones = listed(list(value.phones), printer.language)
        parts.append(printer.phrase("telephone", value=phones))
    parts += [printer.phrase("mail", value=value.mail)] if value.mail else []
    parts += [printer.phrase("link", value=value.link)] if value.link else []
    if value.staffed:
        parts.append(printer.phrase("staffed", hours=_hours(value.staffed, printer)))
    return printer.with_note(", ".join(parts), value.note)


@_format.register
def _items(value: Items, printer: Printer) -> str:
    known = dict(value.items)
    code = best_text(
        tuple((code, code) for code in known), printer.language, FALLBACK, printer.own
    )[0]
    if not value.is_ordered:
        return listed(list(known[code]), code)
    return " ".join(f"{place}. {item}" for place, item in enumerate(known[code], start=1))


@_format.register
def _text(value: TextValue, printer: Printer) -> str:
    return printer.text(value.texts)


@_format.register
def _yes_or_no(value: YesNo, printer: Printer) -> str:
    return printer.with_note(printer.phrase("yes" if value.is_yes else "no"), value.why)


def format_week(week: Week, printer: Printer) -> str:
    """Format a week, with days of equal hours grouped."""
    if len({*week}) == 1 and week[0]:
        hours = _spans(week[0], printer)
        return hours if week[0] == WHOLE_DAY else f"{printer.phrase('daily')} {hours}"
    by_hours: dict[Spans, list[str]] = {}
    for days, spans in runs(week):
        by_hours.setdefault(spans, []).append(_row(days, printer))
    rows = (f"{listed(days, printer.language)} {_spans(spans, printer)}"
            for spans, days in by_hours.items())  # fmt: skip
    return ", ".join(rows) or printer.phrase("closed")


def _row(days: list[int], printer: Printer) -> str:
    names = [day_name(day, printer.language) for day in days]
    return f"{names[0]}-{names[-1]}" if len(names) > 2 else listed(names, printer.language)


def _spans(spans: Spans, printer: Printer) -> str:
    if spans == WHOLE_DAY:
        return printer.phrase("always")
    return listed([str(span) for span in spans], printer.language) or printer.phrase("closed")


def _dates(dates: Dates, printer: Printer) -> str:
    first, *last = (_date(each, printer) for each in dict.fromkeys((dates.first, dates.last)))
    return printer.phrase("period", first=first, last=last[0]) if last else first


def _date(written: str, printer: Printer) -> str:
    """Format a date, without the year if it recurs every year."""
    if len(written) == 10:
        return long_date(date.fromisoformat(written), printer.language)
    whole = long_date(date.fromisoformat(f"2028-{written}"), printer.language)
    return whole.replace("2028", "").strip()


def format_on(value: Hours, day: date, language: str, calendar: Calendar) -> str:
    """Format the hours of a date: "vrijdag 25 december 2026 (feestdag: Kerstmis): gesloten"."""
    hours = _spans(value.on(day, calendar.country), Printer(language, language))
    return f"{format_day(day, language, calendar)}: {hours}"


def format_day(day: date, language: str, calendar: Calendar) -> str:
    """Format a date with its weekday and its name, if it has one."""
    if name := holiday(day, calendar, language):
        name = phrase("a_holiday", language, name=name)
    else:
        name = day_name_of(day, calendar, language)
    date = f"{day_name(day.isoweekday(), language)} {long_date(day, language)}"
    return f"{date} ({name})" if name else date


def not_that_day(day: date, weekday: int, language: str) -> str:
    """Return a sentence that a date falls on another weekday than the given one."""
    own, other = (day_name(each, language) for each in (day.isoweekday(), weekday))
    return phrase("not_that_day", language, date=long_date(day, language), day=own, other=other)


def format_now(
    value: Hours, moment: datetime, language: str, country: str, *, dated: bool = False
) -> str:
    """Format the state at a moment: "nu open, tot 17:00", or closed with the next opening.

    With `dated`, the next opening has a date even if it is today or tomorrow.
    """
    if value.is_open(moment, country):
        until = value.open_until(moment, country)
        if until is None or until - moment > timedelta(days=2):
            return phrase("open_always", language)
        return phrase("open_until", language, time=_time(until))
    closed, opens = phrase("closed_now", language), value.next_opening(moment, country)
    if opens is None:
        return closed
    ahead = (opens.date() - moment.date()).days
    near = {} if dated else {0: phrase("today", language), 1: phrase("tomorrow", language)}
    days = f"{day_name(opens.isoweekday(), language)} {long_date(opens.date(), language)}"
    when = f"{near.get(ahead, days)} {_time(opens)}"
    return f"{closed}; {phrase('opens', language, when=when)}"


def _time(moment: datetime) -> str:
    return clock(moment.hour * 60 + moment.minute)
