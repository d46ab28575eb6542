"""Parsing of hours in sentences, and translation of the hours that staff write."""

import pytest

from chat.safety.phrases import defaults
from taxonomy.dates.words import calendar
from taxonomy.facts.free_hours import day_names, read_hours
from taxonomy.facts.hours import Hours

CALENDAR = calendar(defaults("cues"), "be")


@pytest.mark.parametrize(
    ("language", "text", "week"),
    [
        ("nl", "Open van maandag tot vrijdag van 8 tot 17 uur, zaterdag gesloten", "ma-vr 8:00-17:00"),
        ("nl", "De winkel is open op weekdagen van 7.30 tot 19 uur en in het weekend van 10 tot 18 uur.",
         "ma-vr 7:30-19:00; za-zo 10:00-18:00"),
        ("nl", "Wij zijn open op weekdagen tussen 9 en 17 uur.", "ma-vr 9:00-17:00"),
        ("nl", "Open van 8 tot 16 uur op weekdagen", "ma-vr 8:00-16:00"),
        ("fr", "Ouvert du lundi au vendredi de 8 h à 17 h, fermé le samedi", "ma-vr 8:00-17:00"),
        ("en", "We are open every day between 9am and 8.30pm.", "ma-zo 9:00-20:30"),
        ("de", "Montags, mittwochs und freitags 8-12 Uhr", "ma 8:00-12:00; wo 8:00-12:00; vr 8:00-12:00"),
        ("it", "Aperto dal lunedì al venerdì dalle 8 alle 17, sabato chiuso", "ma-vr 8:00-17:00"),
        ("ro", "Deschis de luni până vineri între orele 8 și 17, sâmbătă închis", "ma-vr 8:00-17:00"),
        ("tr", "Hafta içi 08.00-17.00 saatleri arasında açığız, hafta sonu kapalı", "ma-vr 8:00-17:00"),
        ("el", "Ανοιχτά Δευτέρα έως Παρασκευή από τις 8 έως τις 17, Σάββατο κλειστά", "ma-vr 8:00-17:00"),
    ],
)  # fmt: skip
def test_days_and_times_are_read_in_eight_languages(language, text, week):
    assert read_hours(text, language, CALENDAR).hours.week == Hours.parse({"week": week}).week


@pytest.mark.parametrize(
    "text",
    [
        "Alleen op afspraak",
        "Elke eerste maandag van de maand van 14 tot 16 uur",
        "Om de twee weken op maandag van 9 tot 12 uur",
        "Maandag van 9 tot 12 uur (oneven weken)",
        "Open op 24 december van 8 tot 12 uur",
        "Van maandag tot vrijdag van 8 tot 17 uur, in juli en augustus tot 15 uur",
        "Bezoek van 14 tot 20 uur, op de kinderafdeling van 10 tot 20 uur",
        "Maandag dicht, dinsdag van 9 tot 12 uur na afspraak",
    ],
)
def test_hours_with_other_limitations_are_skipped(text):
    assert read_hours(text, "nl", CALENDAR) is None


def test_mentioned_days_are_listed_open_or_closed():
    said = read_hours(
        "Open van maandag tot vrijdag van 8 tot 17 uur, zaterdag gesloten", "nl", CALENDAR
    )

    assert said.named == {1, 2, 3, 4, 5, 6}


@pytest.fixture(scope="module")
def days():
    return day_names(CALENDAR, defaults("cues"))


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        ("nl", "ma-vr 9:00; di en do 13:00", "maandag-vrijdag 9:00; dinsdag en donderdag 13:00"),
        ("nl", "ma-vr 9:00; zo gesloten", "maandag-vrijdag 9:00; zondag gesloten"),
        ("de", "die Ambulanz Mo-Fr 8:00", "die Ambulanz Montag-Freitag 8:00"),
        ("fr", "lu-ve 8h30; ma et je 9h00; sa 9h00",
         "lundi-vendredi 8h30; mardi et jeudi 9h00; samedi 9h00"),
        ("en", "Mon-Fri 9 am to 5 pm", "Monday-Friday 9 am to 5 pm"),
        ("tr", "Pzt-Cum 8:30", "Pazartesi-Cuma 8:30"), ("el", "Δευ-Παρ 8:00", "Δευτέρα-Παρασκευή 8:00"),
        # No day of the language, and no hours.
        ("tr", "ma 9:00", "ma 9:00"), ("nl", "samen met ma of pa", "samen met ma of pa"),
    ],
)  # fmt: skip
def test_days_are_read_in_the_language_of_the_hospital(days, language, written, said):
    assert days.translate(written, language, language) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", "visites tous les jours 14h30-20h; max. 2 visiteurs; lundi sur rendez-vous"),
        ("de", "Besuch täglich 14:30-20:00; max. 2 Besucher; Montag nach Terminvereinbarung"),
        ("tr", "ziyaret her gün 14:30-20:00; en fazla 2 ziyaretçi; Pazartesi randevu ile"),
    ],
)
def test_usual_words_of_hours_are_translated(days, language, said):
    written = "bezoek dagelijks 14u30-20u; max. 2 bezoekers; ma op afspraak"

    assert days.translate(written, "nl", language) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("weekdagen 8u30–17u", "Montag-Freitag 8:30–17:00"), ("24u op 24", "24u op 24"),
        ("resultaat na 24u, afspraak 48u vooraf", "resultaat na 24u, afspraak 48u vooraf"),
    ],
)  # fmt: skip
def test_durations_are_not_translated_as_times(days, written, said):
    assert days.translate(written, "nl", "de") == said
