"""The clock: open now, until when, when again, on that date."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from taxonomy.facts.kinds import read_value
from taxonomy.facts.print import said_now, said_on

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
        ("2026-11-28T11:59", True, "2026-11-28T12:00", "2026-11-30T09:00"),
        # Sunday afternoon, and the night in which the clock goes back.
        ("2026-10-25T02:30", False, None, "2026-10-26T09:00"),
        ("2026-03-29T03:30", False, None, "2026-03-30T09:00"),
        # Christmas Eve, Christmas, New Year's Eve.
        ("2026-12-24T13:00", False, None, "2026-12-26T09:00"),
        ("2026-12-31T10:00", False, None, "2027-01-02T09:00"),
        # The national holiday, in summer, when there are no afternoons.
        ("2026-07-20T13:00", False, None, "2026-07-22T09:00"),
        ("2026-07-22T10:00", True, "2026-07-22T12:00", "2026-07-23T09:00"),
    ],
)
def test_a_desk_is_open_when_its_hours_say_so(moment, is_open, until, again):
    moment = at(moment)

    assert hours().is_open(moment, "be") is is_open
    assert hours().open_until(moment, "be") == (at(until) if until else None)
    assert hours().next_opening(moment, "be") == at(again)


def test_hours_past_midnight_are_one_stay():
    night = hours("vr 20:00-24:00; za 0:00-4:00")

    assert night.open_until(at("2026-11-27T22:00"), "be") == at("2026-11-28T04:00")
    assert night.next_opening(at("2026-11-27T22:00"), "be") == at("2026-12-04T20:00")


def test_what_never_closes_does_not_open_again():
    always = hours("dag en nacht")

    assert always.is_open(at("2026-12-25T03:00"), "be")
    assert always.next_opening(at("2026-12-25T03:00"), "be") is None
    assert said_now(always, at("2026-12-25T03:00"), "en", "be") == "open now"


def test_a_holiday_may_have_the_hours_of_a_sunday():
    shop = hours("ma-vr 7:30-19; za-zo 10-18 | holidays: zo | dates: 12-25 gesloten")

    assert said_on(shop, date(2026, 11, 11), "nl", "be") == "woensdag 11 november 2026: 10:00-18:00"
    assert said_on(shop, date(2030, 12, 25), "nl", "be").endswith("gesloten")
    assert said_on(shop, date(2026, 11, 11), "nl", "nl").endswith("7:30-19:00")


def test_it_is_said_when_a_desk_opens_again():
    assert said_now(hours(), at("2026-11-25T10:00"), "nl", "be") == "nu open, tot 12:00"
    assert said_now(hours(), at("2026-11-25T12:30"), "en", "be") == (
        "closed now; opens again: today 13:00"
    )
    assert said_now(hours(), at("2026-11-29T12:30"), "fr", "be") == (
        "fermé maintenant; réouverture : demain 9:00"
    )
