"""Opening hours: whether a place is open, until when, and when it opens next."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from chat.safety.phrases import defaults
from taxonomy.dates.words import calendar
from taxonomy.facts.print import format_now, format_on
from taxonomy.facts.records import read_value

CALENDAR = calendar(defaults("cues"), "be")
ZONE = ZoneInfo("Europe/Brussels")
DESK = (
    "ma-vr 9-12; ma-vr 13-17; za 9-12 | holidays: gesloten"
    "| dates: 2026-12-24 9-12; 12-31 gesloten | periods: 2026-07-01/2026-08-31 ma-vr 9-12"
)


def hours(written=DESK):
    return read_value(written, "hours", "nl")


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@pytest.mark.parametrize(
    ("moment", "is_open", "until", "again"),
    [
        ("2026-11-25T10:00", True, "2026-11-25T12:00", "2026-11-25T13:00"),
        ("2026-11-25T12:00", False, None, "2026-11-25T13:00"),
        ("2026-11-25T17:00", False, None, "2026-11-26T09:00"),
        ("2026-10-25T02:30", False, None, "2026-10-26T09:00"),
        ("2026-12-24T13:00", False, None, "2026-12-26T09:00"),
        ("2026-07-22T10:00", True, "2026-07-22T12:00", "2026-07-23T09:00"),
    ],
)
def test_opening_hours_decide_whether_a_desk_is_open(moment, is_open, until, again):
    moment = at(moment)

    assert hours().is_open(moment, "be") is is_open
    assert hours().open_until(moment, "be") == (at(until) if until else None)
    assert hours().next_opening(moment, "be") == at(again)


def test_a_holiday_may_have_the_hours_of_a_sunday():
    shop = hours("ma-vr 7:30-19; za-zo 10-18 | holidays: zo | dates: 12-25 gesloten")

    assert format_on(shop, date(2026, 11, 11), "nl", CALENDAR) == (
        "woensdag 11 november 2026 (feestdag: Wapenstilstand): 10:00-18:00"
    )
    assert format_on(shop, date(2030, 12, 25), "nl", CALENDAR).endswith("gesloten")
    assert format_on(shop, date(2026, 11, 11), "nl", calendar(defaults("cues"), "nl")).endswith(
        "7:30-19:00"
    )


def test_a_closed_desk_has_its_next_opening():
    assert format_now(hours(), at("2026-11-25T10:00"), "nl", "be") == "nu open, tot 12:00"
    assert format_now(hours(), at("2026-11-25T12:30"), "en", "be") == (
        "closed now; opens again: today 13:00"
    )
    assert format_now(hours(), at("2026-11-29T12:30"), "fr", "be") == (
        "fermé maintenant; réouverture : demain 9:00"
    )
