"""Parsing of days and times in eight languages."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from chat.safety.phrases import defaults
from taxonomy.dates.reading import day_name_of, holiday, read, weekdays
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


#: Language, what is written, and the day or days; where nothing else is said, it is asked on a Tuesday.
READ = [
    ("nl", "open op vrijdag 25 december?", "2026-12-25"), ("nl", "en de 15de?", "2026-12-15"),
    ("nl", "volgende week vrijdag", "2026-12-25"), ("nl", "over een week", "2026-12-22"),
    ("nl", "van 24 tot en met 26 december", "2026-12-24/2026-12-26"), ("nl", "op 14/12", "2027-12-14"),
    ("nl", "vrijdag 27 november was ik er", "2026-11-27"), ("nl", "afgelopen vrijdag", "2026-12-11"),
    ("nl", "vrijdag jl. was ik er", "2026-12-11"), ("de", "seit vorigem Freitag", "2026-12-11"),
    ("fr", "mardi en huit", "2026-12-22"), ("de", "am 15. offen?", "2026-12-15"),
    ("fr", "du 24 décembre au 3 janvier", "2026-12-24/2027-01-03"),
    ("de", "am Samstag von 8 bis 11.30 Uhr", "2026-12-19"), ("it", "a Ferragosto", "2027-08-15"),
    ("en", "the first Monday of March", "2027-03-01"), ("tr", "persembe gunu", "2026-12-17"),
    ("ro", "peste două săptămâni", "2026-12-29"), ("el", "την παρασκευη 25 δεκεμβριου", "2026-12-25"),
    # A number alone is a day where a clause begins behind it.
    ("nl", "den 24 moet ik binnen", "2026-12-24"), ("fr", "le 25 je passe un scanner", "2026-12-25"),
    ("de", "am 24. hab ich MRT", "2026-12-24"), ("en", "on the 19 is parking free?", "2026-12-19"),
    ("it", "il 24 ho la visita", "2026-12-24"), ("ro", "pe 20 am operatie", "2026-12-20"),
    ("el", "στις 25 εχω αξονική", "2026-12-25"), ("tr", "25'inde ameliyatım var", "2026-12-25"),
    # As people type and call them.
    ("nl", "vr namiddag", "2026-12-18"), ("fr", "ajd c'est ouvert ?", "2026-12-15"),
    ("de", "do. vormittag frei?", "2026-12-17"), ("en", "fri 10am?", "2026-12-18"),
    ("it", "posdomani ho la tac", "2026-12-17"), ("el", "αυτό το σ/κ", "2026-12-19/2026-12-20"),
    ("el", "exw rantevou avrio", "2026-12-16"), ("tr", "pzt sabah", "2026-12-21"),
    ("de", "am 1. Weihnachtsfeiertag", "2026-12-25"), ("it", "all'Immacolata", "2027-12-08"),
    ("el", "των Φώτων", "2027-01-06"), ("tr", "cumhuriyet bayramında", "2027-10-29"),
    ("nl", "is de dokter vrijdag aanwezig?", "2026-12-18"), ("de", "morgen OP!", "2026-12-16"),
    ("tr", "doktor bugün burada mı", "2026-12-15"),
]  # fmt: skip
#: At midnight, when the clock is changed, and on the day after.
AT = [
    ("2026-12-25T00:10", "open vandaag?", "2026-12-25"), ("2026-12-31T23:50", "open morgen?", "2027-01-01"),
    ("2026-10-25T02:30", "open over een dag?", "2026-10-26"), ("2027-03-28T03:10", "open met pasen?", "2027-03-28"),
    ("2026-12-26T10:00", "open met kerstmis?", "2027-12-25"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "found", "at"),
    [*((*row, ASKED) for row in READ), *(("nl", text, found, at) for at, text, found in AT)],
)
def test_days_are_parsed(language, text, found, at):
    assert days(text, language, at) == [found]


@pytest.mark.parametrize(
    ("language", "text", "last"),
    [
        ("nl", "van 26 tot 30/12", 30), ("fr", "du 26 au 30/12", 30),
        ("de", "vom 26. bis 30.12.", 30), ("de", "26.-28.12. offen?", 28),
        ("en", "from the 26th to the 30th of December", 30), ("it", "dal 26 al 30/12", 30),
        ("ro", "de pe 26 până pe 30 decembrie", 30), ("el", "από 26 έως και 28 δεκεμβρίου", 28),
        ("tr", "26'sından 30 aralığa kadar", 30), ("fr", "du 26 au 28 il est en congé", 28),
    ],
)  # fmt: skip
def test_the_first_day_of_a_range_needs_no_month(language, text, last):
    assert days(text, language) == [f"2026-12-26/2026-12-{last}"]


def test_the_name_of_a_feast_is_never_printed():
    assert day_name_of(date(2027, 12, 8), CALENDAR, "it") == ""
    assert day_name_of(date(2026, 12, 24), CALENDAR, "it") != ""


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
def test_ambiguous_weekdays_have_both_meanings(language, text, first, other):
    (moment,) = moments(text, language)

    assert str(moment.first) == first
    assert (str(moment.other[0]) if moment.other else None) == other


def test_a_date_overrides_a_wrong_weekday():
    (moment,) = moments("open op donderdag 25 december?")

    assert (str(moment.first), moment.wrong_weekday) == ("2026-12-25", 4)
    assert moments("open op vrijdag 25 december?")[0].wrong_weekday is None


def test_a_moment_has_its_day_text_and_time():
    (moment,) = moments("is het labo open op vrijdag 25 december om 9u30?")

    assert (str(moment.first), moment.text) == ("2026-12-25", "vrijdag 25 december")
    assert moment.start == 9 * 60 + 30
    assert moments("morgenavond")[0].start == 18 * 60


def test_only_public_holidays_have_a_name():
    assert holiday(date(2026, 12, 25), CALENDAR, "nl") == "Kerstmis"
    assert holiday(date(2026, 12, 25), CALENDAR, "ro") == "Crăciun"
    for text in ("kerstavond", "tweede kerstdag", "oudejaarsavond"):
        assert holiday(moments(text)[0].first, CALENDAR, "nl") == ""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "mag ik mijn kind meenemen"), ("nl", "goede morgen, is er iemand"),
        ("nl", "mijn bloeddruk is 14/9"), ("nl", "wie is dokter Vrijdag"),
        # A title of one language is one in all: "Dr" stands in the Dutch rows alone.
        ("en", "who is Dr Friday?"), ("de", "wie erreiche ich frau dr. freitag?"),
        ("nl", "spoed 24/7"), ("nl", "ik heb al drie dagen koorts"), ("it", "di chi è"),
        ("fr", "qu'est-ce que mardi gras"), ("fr", "ma fille a 3 mois"), ("en", "I sat in the sun"),
        ("en", "may I come"), ("ro", "fiica mea are 3 luni"), ("el", "η τρίτη πόρτα δεξιά"),
        ("el", "την τρίτη δόση"), ("el", "η μητέρα μου η Κυριακή"),
        ("de", "Morgen! Wo kann ich parken?"), ("nl", "dokter Vrijdag"),
        ("es", "el viernes"),
        # Rooms, counts, ages, times and short words that are something else.
        ("nl", "kamer 24.12"), ("fr", "le bus 25 passe devant ?"), ("it", "la stanza 25/12"),
        ("de", "im 3. Stock"), ("en", "my 3rd child"), ("en", "the second one is cheaper"),
        ("fr", "ma vue est de 5/10"), ("el", "στις 10 είναι ανοιχτά"), ("ro", "am 20 de ani"),
        ("tr", "25 yaşındayım"), ("fr", "ma matinée"), ("en", "Mon-Fri 9:00"),
        ("en", "the sun in the morning"),
    ],
)  # fmt: skip
def test_expressions_that_are_no_day_are_skipped(language, text):
    assert days(text, language) == []


def test_now_is_recognised_in_questions_about_opening():
    assert moments("is het labo nu open?")[0].is_now
    assert not moments("wat moet ik nu doen?")


def test_weekdays_have_their_positions():
    assert weekdays("sauf le lundi et le vendredi", "fr", CALENDAR) == ((8, 1), (20, 5))


@pytest.mark.parametrize("target", ["day", "weekday x", "part 6", "holiday 99-99-1", "moon 1", ""])
def test_invalid_targets_of_rows_are_recognised(target):
    assert not is_meaning(target)


def test_every_default_row_is_valid():
    rows = [row for row in defaults("cues") if row["kind"] == "moment"]

    assert len(rows) > 400
    assert [row for row in rows if not is_meaning(row["target"])] == []
