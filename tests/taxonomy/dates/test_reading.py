"""Days and times are read in eight languages with the meanings that the hospital's house fixed."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from chat.safety.rows import defaults
from taxonomy.dates.reading import read, weekdays
from taxonomy.dates.words import calendar, is_meaning

CALENDAR = calendar(defaults("cues"), "be")
ZONE = ZoneInfo("Europe/Brussels")
#: A Tuesday.
ASKED = "2026-12-15T10:00"


def moments(text, language="nl", at=ASKED):
    return read(text, language, datetime.fromisoformat(at).replace(tzinfo=ZONE), CALENDAR)


def days(text, language="nl", at=ASKED):
    return [f"{each.first}/{each.last}".replace(f"{each.first}/{each.first}", str(each.first))
            for each in moments(text, language, at)]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("nl", "open op vrijdag 25 december?", "2026-12-25"),
        ("nl", "en de 15de?", "2026-12-15"),
        ("nl", "volgende week vrijdag", "2026-12-25"),
        ("nl", "over een week", "2026-12-22"),
        ("nl", "van 24 tot en met 26 december", "2026-12-24/2026-12-26"),
        ("nl", "op 14/12", "2027-12-14"),
        ("fr", "mardi en huit", "2026-12-22"),
        ("fr", "du 24 décembre au 3 janvier", "2026-12-24/2027-01-03"),
        ("de", "am 15. offen?", "2026-12-15"),
        ("en", "the first Monday of March", "2027-03-01"),
        ("it", "a Ferragosto", "2027-08-15"),
        ("ro", "peste două săptămâni", "2026-12-29"),
        ("el", "την παρασκευη 25 δεκεμβριου", "2026-12-25"),
        ("tr", "persembe gunu", "2026-12-17"),
    ],
)
def test_a_day_is_read(language, text, found):
    assert days(text, language) == [found]


@pytest.mark.parametrize(
    ("language", "text", "first", "other"),
    [
        ("nl", "volgende vrijdag", "2026-12-25", "2026-12-18"),
        ("de", "nächsten Freitag", "2026-12-25", "2026-12-18"),
        ("en", "next Friday", "2026-12-25", "2026-12-18"),
        ("tr", "gelecek cuma", "2026-12-25", "2026-12-18"),
        ("fr", "vendredi prochain", "2026-12-18", "2026-12-25"),
        ("it", "venerdì prossimo", "2026-12-18", "2026-12-25"),
        ("ro", "vinerea viitoare", "2026-12-18", "2026-12-25"),
        ("el", "την επόμενη Παρασκευή", "2026-12-18", "2026-12-25"),
        ("nl", "komende vrijdag", "2026-12-18", None),
        ("nl", "volgende maandag", "2026-12-21", None),
    ],
)
def test_where_people_differ_by_a_week_both_days_are_meant(language, text, first, other):
    (moment,) = moments(text, language)

    assert str(moment.first) == first
    assert (str(moment.other[0]) if moment.other else None) == other


def test_the_date_wins_over_a_day_of_the_week_that_disagrees():
    (moment,) = moments("open op donderdag 25 december?")

    assert (str(moment.first), moment.wrong_weekday) == ("2026-12-25", 4)
    assert moments("open op vrijdag 25 december?")[0].wrong_weekday is None


@pytest.mark.parametrize(
    ("at", "text", "found"),
    [
        ("2026-12-25T00:10", "open vandaag?", "2026-12-25"),
        ("2026-12-31T23:50", "open morgen?", "2027-01-01"),
        ("2026-10-25T02:30", "open over een dag?", "2026-10-26"),
        ("2027-03-28T03:10", "open met pasen?", "2027-03-28"),
        ("2026-12-26T10:00", "open met kerstmis?", "2027-12-25"),
    ],
)
def test_days_hold_at_midnight_and_when_the_clock_is_changed(at, text, found):
    assert days(text, at=at) == [found]


def test_a_moment_tells_its_days_words_holiday_and_time():
    said = moments("is het labo open op vrijdag 25 december om 9u30?")[0].data(CALENDAR, "nl")

    assert said == {
        "from": "2026-12-25T09:30", "to": "2026-12-25T09:30", "said": "vrijdag 25 december",
        "holiday": "Kerstmis",
    }  # fmt: skip
    assert moments("morgenavond")[0].data(CALENDAR, "nl")["from"] == "2026-12-16T18:00"
    assert moments("la 25 decembrie", "ro")[0].data(CALENDAR, "ro")["holiday"] == "Crăciun"


@pytest.mark.parametrize("text", ["kerstavond", "tweede kerstdag", "oudejaarsavond"])
def test_a_day_with_a_name_is_no_holiday_by_itself(text):
    assert moments(text)[0].data(CALENDAR, "nl")["holiday"] == ""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "mag ik mijn kind meenemen"), ("nl", "goede morgen, is er iemand"),
        ("nl", "mijn bloeddruk is 14/9"), ("nl", "wie is dokter Vrijdag"),
        ("nl", "spoed 24/7"), ("nl", "ik heb al drie dagen koorts"), ("it", "di chi è"),
        ("fr", "qu'est-ce que mardi gras"), ("fr", "ma fille a 3 mois"), ("en", "I sat in the sun"),
        ("en", "may I come"), ("ro", "fiica mea are 3 luni"), ("el", "η τρίτη πόρτα δεξιά"),
        ("es", "el viernes"),
    ],
)  # fmt: skip
def test_what_names_no_day_is_not_read(language, text):
    assert days(text, language) == []


def test_now_is_read_where_opening_is_asked():
    assert moments("is het labo nu open?")[0].is_now
    assert not moments("wat moet ik nu doen?")


def test_days_of_the_week_are_told_with_their_places():
    assert weekdays("sauf le lundi et le vendredi", "fr", CALENDAR) == ((8, 1), (20, 5))


@pytest.mark.parametrize("target", ["day", "weekday x", "part 6", "holiday 99-99-1", "moon 1", ""])
def test_a_row_that_points_to_nothing_is_known_as_such(target):
    assert not is_meaning(target)


def test_every_default_row_can_be_read():
    rows = [row for row in defaults("cues") if row["kind"] == "moment"]

    assert len(rows) > 400
    assert [row for row in rows if not is_meaning(row["target"])] == []
