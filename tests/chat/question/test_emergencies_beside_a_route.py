"""Who asks the way to a doctor in an emergency gets the number first, whatever department is named.

Five situations that were silent in some languages: a side that is suddenly paralysed, blood that is
spat or vomited, sudden pain of a testicle in everyday words, something sharp in the eye, somebody
beside one who has just taken pills. The phrases were written before any row was, and are kept as
they were: at first sight 66 of 80 were heard in all but the eye (3 of 16), and 2 of 40 look-alikes
were taken for one.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.chat.question.readers import heard
from zol.languages import LANGUAGES

DATA = Path(__file__).parents[1] / "data"
#: Shares of the phrases that were written after the rows: 34 of 40 were heard at first sight.
HEARD, MISTAKEN = 0.9, 0.05
#: The same of those that rows were written for.
TOLD = 0.96


def said(kind: str, name: str = "red_flag_beside_a_route") -> list[tuple[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [(r["language"], r["phrase"]) for r in csv.DictReader(file) if r["kind"] == kind]


def test_an_emergency_is_heard_beside_a_question_for_the_way():
    phrases = said("trigger")

    assert len(phrases) == 10 * len(LANGUAGES)
    missed = [text for language, text in phrases if not heard(text)]

    assert 1 - len(missed) / len(phrases) >= TOLD, missed


def test_what_only_comes_near_is_led_to_its_department():
    phrases = said("near_miss")

    assert len(phrases) == 5 * len(LANGUAGES)
    # A ball against a knee that suddenly hurts: what was learned hears it since 28 November.
    assert len([text for language, text in phrases if heard(text)]) <= 1


def test_the_same_in_words_that_were_found_afterwards_is_heard_mostly():
    phrases = said("trigger", "red_flag_beside_a_route_second")
    missed = [text for language, text in phrases if not heard(text)]

    assert 1 - len(missed) / len(phrases) >= HEARD, missed


def test_look_alikes_that_were_found_afterwards_are_hardly_ever_taken_for_one():
    phrases = said("near_miss", "red_flag_beside_a_route_second")
    alarming = [text for language, text in phrases if heard(text)]

    assert len(alarming) / len(phrases) <= MISTAKEN, alarming


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "where do I type my PIN in the eye clinic"),
        ("de", "wir behalten die Schraube im Auge, wann ist die Kontrolle"),
        ("nl", "gaat de dokter met een naald in mijn oog bij de staaroperatie"),
        ("it", "dove si fa l'esame dello sputo e del sangue"),
        ("nl", "test u met spuug of met bloed"),
        ("de", "Speicheltest oder Blut, welche Abteilung"),
        ("nl", "ik spuw wat bloed bij het tandenpoetsen, welke tandarts"),
        ("ro", "mă doare burta după un ou"),
        ("de", "ich bin plötzlich auf dem rechten Ohr taub, welche Abteilung"),
        ("nl", "kan iemand die net pillen voor de bloeddruk nam bloed laten prikken"),
        ("tr", "gözümün camı kırıldı yeni gözlük nereden alınır"),
    ],
)
def test_words_of_these_signs_in_other_matters_are_none(language: str, text: str):
    assert not heard(text)
