"""Print values as part of a sentence in the asker's language.

`said` prints a value of any kind. The caller supplies names of campuses; a text without a
translation is printed in the best language that there is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import singledispatch

from taxonomy.dates.reading import day_name_of, holiday
from taxonomy.dates.words import Calendar
from taxonomy.facts.hours import WHOLE_DAY, Dates, Hours, Spans, Week, clock, runs
from taxonomy.facts.parts import Texts, Value, best_text
from taxonomy.facts.phrases import (
    FALLBACK,
    date_said,
    day_name,
    listed,
    measured,
    money,
    number,
    phrase,
)
from taxonomy.facts.values import ContactValue, Duration, Items, Money, PlaceValue, TextValue, YesNo


def said(value: Value, language: str, *, own: str = "nl", name: Callable[[str], str] = str) -> str:
    """Return a value as a part of a sentence.

    `own` is the hospital's language, `name` returns the name of a campus by its key.
    """
    return _said(value, Voice(language, own, name))


class Voice:
    """A language to say things in, and what the hospital calls its own."""

    def __init__(self, language: str, own: str, name: Callable[[str], str]) -> None:
        self.language, self.own, self.name = language, own, name

    def phrase(self, key: str, **values: object) -> str:
        return phrase(key, self.language, **values)

    def text(self, texts: Texts) -> str:
        return best_text(texts, self.language, FALLBACK, self.own)[1]

    def with_note(self, text: str, note: Texts) -> str:
        remark = self.text(note)
        return f"{text} ({remark})" if remark and text else text or remark


@singledispatch
def _said(value: Value, voice: Voice) -> str:
    raise NotImplementedError(type(value))


@_said.register
def _hours(value: Hours, voice: Voice) -> str:
    parts = [week_said(value.week, voice)]
    for dates, week in value.periods:
        parts.append(f"{_dates(dates, voice)}: {week_said(week, voice)}")
    if isinstance(value.holidays, int):
        parts.append(voice.phrase("holidays_like", day=day_name(value.holidays, voice.language)))
    elif value.holidays is not None:
        closed, hours = voice.phrase("holidays_closed"), _spans(value.holidays, voice)
        parts.append(f"{voice.phrase('holidays')} {hours}" if value.holidays else closed)
    parts += [f"{_dates(dates, voice)}: {_spans(spans, voice)}" for dates, spans in value.dates]
    return voice.with_note("; ".join(parts), value.note)


@_said.register
def _money(value: Money, voice: Voice) -> str:
    amounts = dict.fromkeys((value.low, value.high))
    shown = " – ".join(money(amount, value.unit, voice.language) for amount in amounts)
    text = shown if value.high else voice.phrase("free")
    if value.per and value.high:
        text = f"{text} {voice.phrase(f'per_{value.per}')}"
    if whom := voice.text(value.whom):
        text = f"{whom}: {text}"
    parts = [text]
    if value.free:
        time = measured(*value.free, voice.language)
        parts.append(voice.phrase("first_free", time=time))
    if value.maximum is not None:
        most = money(value.maximum, value.unit, voice.language)
        per = f" {voice.phrase(f'per_{value.maximum_per}')}" if value.maximum_per else ""
        parts.append(voice.phrase("at_most", amount=most) + per)
    return voice.with_note(", ".join(parts), value.note)


@_said.register
def _duration(value: Duration, voice: Voice) -> str:
    text = measured(value.high, value.unit, voice.language)
    if value.low != value.high:
        high = number(value.high, voice.language)
        text = text.replace(high, f"{number(value.low, voice.language)}-{high}", 1)
    return voice.with_note(text, value.note)


@_said.register
def _place(value: PlaceValue, voice: Voice) -> str:
    parts = [voice.name(value.campus) if value.campus else "", value.address]
    parts.append(value.block and voice.phrase("block", place=value.block))
    key = "ground_floor" if value.floor == "0" else "floor"
    parts.append(value.floor and voice.phrase(key, place=value.floor))
    parts.append(value.route and voice.phrase("route", place=value.route))
    parts.append(value.room and voice.phrase("room", place=value.room))
    return voice.with_note(", ".join(filter(None, parts)), value.note)


@_said.register
def _contact(value: ContactValue, voice: Voice) -> str:
    parts = []
    if value.phones:
        phones = listed(list(value.phones), voice.language)
        parts.append(voice.phrase("telephone", value=phones))
    parts += [voice.phrase("mail", value=value.mail)] if value.mail else []
    parts += [voice.phrase("link", value=value.link)] if value.link else []
    if value.staffed:
        parts.append(voice.phrase("staffed", hours=_hours(value.staffed, voice)))
    return voice.with_note(", ".join(parts), value.note)


@_said.register
def _items(value: Items, voice: Voice) -> str:
    known = dict(value.items)
    code = best_text(tuple((code, code) for code in known), voice.language, FALLBACK, voice.own)[0]
    if not value.is_ordered:
        return listed(list(known[code]), code)
    return " ".join(f"{place}. {item}" for place, item in enumerate(known[code], start=1))


@_said.register
def _text(value: TextValue, voice: Voice) -> str:
    return voice.text(value.texts)


@_said.register
def _yes_or_no(value: YesNo, voice: Voice) -> str:
    return voice.with_note(voice.phrase("yes" if value.is_yes else "no"), value.why)


def week_said(week: Week, voice: Voice) -> str:
    """Return a week with days of the same hours grouped."""
    if len({*week}) == 1 and week[0]:
        hours = _spans(week[0], voice)
        return hours if week[0] == WHOLE_DAY else f"{voice.phrase('daily')} {hours}"
    by_hours: dict[Spans, list[str]] = {}
    for days, spans in runs(week):
        by_hours.setdefault(spans, []).append(_row(days, voice))
    rows = (f"{listed(days, voice.language)} {_spans(spans, voice)}"
            for spans, days in by_hours.items())  # fmt: skip
    return ", ".join(rows) or voice.phrase("closed")


def _row(days: list[int], voice: Voice) -> str:
    names = [day_name(day, voice.language) for day in days]
    return f"{names[0]}-{names[-1]}" if len(names) > 2 else listed(names, voice.language)


def _spans(spans: Spans, voice: Voice) -> str:
    if spans == WHOLE_DAY:
        return voice.phrase("always")
    return listed([str(span) for span in spans], voice.language) or voice.phrase("closed")


def _dates(dates: Dates, voice: Voice) -> str:
    said = [_date(each, voice) for each in dict.fromkeys((dates.first, dates.last))]
    return said[0] if len(said) == 1 else voice.phrase("period", first=said[0], last=said[1])


def _date(written: str, voice: Voice) -> str:
    """Return a date; of one that comes back every year, the year is left out."""
    if len(written) == 10:
        return date_said(date.fromisoformat(written), voice.language)
    whole = date_said(date.fromisoformat(f"2028-{written}"), voice.language)
    return whole.replace("2028", "").strip()


def said_on(value: Hours, day: date, language: str, calendar: Calendar) -> str:
    """Return the hours of one date: "vrijdag 25 december 2026 (feestdag: Kerstmis): gesloten"."""
    hours = _spans(value.on(day, calendar.country), Voice(language, language, str))
    return f"{day_said(day, language, calendar)}: {hours}"


def day_said(day: date, language: str, calendar: Calendar) -> str:
    """Return a date with its weekday, and with what it is called if it bears a name."""
    if called := holiday(day, calendar, language):
        called = phrase("a_holiday", language, name=called)
    else:
        called = day_name_of(day, calendar, language)
    date = f"{day_name(day.isoweekday(), language)} {date_said(day, language)}"
    return f"{date} ({called})" if called else date


def not_that_day(day: date, weekday: int, language: str) -> str:
    """Return that a date is another day of the week than was said."""
    told, other = (day_name(each, language) for each in (day.isoweekday(), weekday))
    return phrase("not_that_day", language, date=date_said(day, language), day=told, other=other)


def said_now(
    value: Hours, moment: datetime, language: str, country: str, *, dated: bool = False
) -> str:
    """Return what holds at a moment: "nu open, tot 17:00"; when closed, when it opens again, with
    its date also where that is today or tomorrow if it is to be `dated`."""
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
    days = f"{day_name(opens.isoweekday(), language)} {date_said(opens.date(), language)}"
    when = f"{near.get(ahead, days)} {_time(opens)}"
    return f"{closed}; {phrase('opens', language, when=when)}"


def _time(moment: datetime) -> str:
    return clock(moment.hour * 60 + moment.minute)
