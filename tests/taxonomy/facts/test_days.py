"""Days, times and hours: told by the clock, and as a hospital writes them in words of its own."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from chat.safety.phrases import defaults
from taxonomy.dates.words import calendar
from taxonomy.facts.days import FreeHours, HoursSort, day_names, split_hours
from taxonomy.facts.print import said_now, said_on
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
def test_a_desk_is_open_when_its_hours_say_so(moment, is_open, until, again):
    moment = at(moment)

    assert hours().is_open(moment, "be") is is_open
    assert hours().open_until(moment, "be") == (at(until) if until else None)
    assert hours().next_opening(moment, "be") == at(again)


def test_a_holiday_may_have_the_hours_of_a_sunday():
    shop = hours("ma-vr 7:30-19; za-zo 10-18 | holidays: zo | dates: 12-25 gesloten")

    assert said_on(shop, date(2026, 11, 11), "nl", CALENDAR) == (
        "woensdag 11 november 2026 (feestdag: Wapenstilstand): 10:00-18:00"
    )
    assert said_on(shop, date(2030, 12, 25), "nl", CALENDAR).endswith("gesloten")
    assert said_on(shop, date(2026, 11, 11), "nl", calendar(defaults("cues"), "nl")).endswith(
        "7:30-19:00"
    )


def test_it_is_said_when_a_desk_opens_again():
    assert said_now(hours(), at("2026-11-25T10:00"), "nl", "be") == "nu open, tot 12:00"
    assert said_now(hours(), at("2026-11-25T12:30"), "en", "be") == (
        "closed now; opens again: today 13:00"
    )
    assert said_now(hours(), at("2026-11-29T12:30"), "fr", "be") == (
        "fermé maintenant; réouverture : demain 9:00"
    )


def sort_of(part):
    said = {"bezoek": HoursSort.VISITING, "raadpleging": HoursSort.OPENING}
    return said.get(part.split()[0])


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        pytest.param("ma-vr 9:00-17:00", FreeHours("ma-vr 9:00-17:00"), id="no word at all"),
        pytest.param("bezoek 14:00-20:00", FreeHours("", "bezoek 14:00-20:00"), id="visitors only"),
        pytest.param(
            "raadpleging ma 9:00-12:00; bezoek 14:00-20:00; partner dag en nacht",
            FreeHours("raadpleging ma 9:00-12:00", "bezoek 14:00-20:00; partner dag en nacht"),
            id="both, and one that goes on",
        ),
    ],
)
def test_hours_of_visitors_are_told_from_the_others(written, hours):
    assert split_hours(written, sort_of) == hours


NAMES = dict(enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), start=1))


@pytest.fixture(scope="module")
def days():
    return day_names(CALENDAR, defaults("cues"))


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        ("nl", "ma-vr 9:00; di en do 13:00", "mon-fri 9:00; tue en thu 13:00"),
        ("nl", "ma-vr 9:00; zo gesloten", "mon-fri 9:00; sun gesloten"),
        ("de", "die Ambulanz Mo-Fr 8:00", "die Ambulanz mon-fri 8:00"),
        ("de", "Mo-Fr 8.00-12.00 Uhr, Do 14 Uhr", "mon-fri 8.00-12.00 Uhr, thu 14 Uhr"),
        ("fr", "lu-ve 8h30; ma et je 9h00; sa 9h00", "mon-fri 8h30; tue et thu 9h00; sat 9h00"),
        ("en", "Mon-Fri 9 am to 5 pm", "mon-fri 9 am to 5 pm"), ("it", "ma e gi 9:00", "tue e thu 9:00"),
        ("ro", "lu-vi 8:00; sâ 9:00", "mon-fri 8:00; sat 9:00"), ("tr", "Pzt-Cum 8:30", "mon-fri 8:30"),
        ("el", "Δευ-Παρ 8:00", "mon-fri 8:00"),
        # Two languages that disagree, and no hours.
        ("tr", "ma 9:00", "ma 9:00"), ("nl", "samen met ma of pa", "samen met ma of pa"),
    ],
)  # fmt: skip
def test_days_are_read_in_the_language_of_the_hospital(days, language, written, said):
    assert days.said(written, language, NAMES.__getitem__) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nl", "bezoek dagelijks 14u30-20u; max. 2 bezoekers; mon op afspraak"),
        ("fr", "visites tous les jours 14h30-20h; max. 2 visiteurs; mon sur rendez-vous"),
        ("de", "Besuch täglich 14:30-20:00; max. 2 Besucher; mon nach Terminvereinbarung"),
        ("tr", "ziyaret her gün 14:30-20:00; en fazla 2 ziyaretçi; mon randevu ile"),
    ],
)
def test_usual_words_of_hours_are_said_in_the_language_of_who_asks(days, language, said):
    written = "bezoek dagelijks 14u30-20u; max. 2 bezoekers; mon op afspraak"

    assert days.said(written, "nl", NAMES.__getitem__, language) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("weekdagen 8u30–17u", "Montag-Freitag 8:30–17:00"), ("24u op 24", "24u op 24"),
        ("resultaat na 24u, afspraak 48u vooraf", "resultaat na 24u, afspraak 48u vooraf"),
    ],
)  # fmt: skip
def test_how_long_something_takes_is_no_time_of_day(days, written, said):
    assert days.said(written, "nl", NAMES.__getitem__, "de") == said
