"""Who asks for a floor, an entrance or a route and tells of a stroke or glass in an eye hears it.

A floor that is asked for spoke against every sign, as visitors ask for it: now only against a name
and against what is told in the same breath. The phrases were written before any row was, and are
kept as they were: at first sight 20 of 40 emergencies were heard, and 7 of 40 look-alikes were
taken for one.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.chat.question.readers import heard
from zol.languages import LANGUAGES

DATA = Path(__file__).parents[1] / "data" / "red_flag_beside_a_floor.csv"
#: "In eye, which ward" has the words of "in which ward" around the Romanian eye.
STILL_SILENT = 1
#: "Somebody just took the list of my pills", in three languages: heard since quiet emergencies were
#: learned, of which 13 more of 104 are heard; and a lens of glasses that broke, in one.
STILL_HEARD = 4


def said(kind: str) -> list[tuple[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return [(r["language"], r["phrase"]) for r in csv.DictReader(file) if r["kind"] == kind]


def test_an_emergency_is_heard_beside_a_floor_or_a_route():
    phrases = said("trigger")
    silent = [text for language, text in phrases if not heard(text)]

    assert len(phrases) == 5 * len(LANGUAGES)
    assert len(silent) <= STILL_SILENT, silent


def test_a_list_of_pills_a_ball_and_a_battery_are_none():
    phrases = said("near_miss")

    assert len(phrases) == 5 * len(LANGUAGES)
    assert len([text for language, text in phrases if heard(text)]) <= STILL_HEARD


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "welke verdieping is de beroerte-eenheid"),
        ("en", "which floor is the stroke unit"),
        ("nl", "op welke verdieping ligt mijn vader, hij heeft een hartaanval gehad"),
        ("en", "which floor is my father on, he had a stroke last week"),
        ("nl", "op welke verdieping is de kliniek voor pijn op de borst"),
        ("it", "a che piano è la terapia intensiva per l'infarto"),
        ("it", "l'ascensore sul lato destro non funziona più"),
        ("de", "der Aufzug auf der linken Seite funktioniert nicht mehr"),
        ("nl", "mijn armband doet het plots niet meer"),
        ("en", "the app stopped working on my left side screen"),
    ],
)
def test_a_floor_that_only_is_looked_for_is_answered(language: str, text: str):
    assert not heard(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "my son just took pills, here is the list of tablets"),
        ("en", "someone just took all my pills"),
        ("nl", "welke verdieping, mijn vader zijn mond hangt scheef"),
        ("nl", "mijn rechterarm en been doen het plots niet meer, welke route"),
        ("nl", "er zit glas in mijn oog, welke verdieping"),
        ("it", "quale ascensore, il braccio di mio marito di colpo non risponde più"),
        ("tr", "karım bir kutu hap yuttu, ilaç listesi yanımda"),
        ("tr", "az önce çok fazla ilaç içti, ilaç listesi yanımda"),
        ("en", "he just took all his pills, medication list below: metoprolol, digoxin"),
        ("it", "ha preso troppe medicine, la lista medicine è qui"),
    ],
)
def test_what_stands_beside_them_silences_nothing(language: str, text: str):
    assert heard(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "wordt mijn halve lichaam verdoofd bij een epidurale?"),
        ("en", "is half my body numb during a spinal anaesthetic?"),
        ("fr", "est-ce que la moitié de mon corps est engourdie avec une péridurale ?"),
        ("de", "ist der halbe Körper taub bei einer PDA?"),
        ("tr", "epiduralde vücudunun yarısı uyuşur mu?"),
        ("it", "metà corpo è addormentata con l'epidurale?"),
        ("ro", "jumătate din corpul meu e amorțit la epidurală?"),
        ("el", "μουδιάζει το μισό μου σώμα με την επισκληρίδιο;"),
    ],
)
def test_half_a_body_that_an_anaesthetic_numbs_is_no_stroke(language: str, text: str):
    assert not heard(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "sinds de epidurale is mijn halve lijf verdoofd"),
        ("nl", "na de ruggenprik hangt mijn mond scheef"),
        ("en", "half of my body is numb"),
        ("tr", "vücudunun yarısı uyuştu"),
    ],
)
def test_half_a_body_that_is_numb_is(language: str, text: str):
    assert heard(text)
