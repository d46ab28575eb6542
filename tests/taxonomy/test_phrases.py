"""Complaints that are told in many words, in any order, with others between them."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from taxonomy.models.lexicon import validate_phrase
from taxonomy.phrases import ComplaintMention, ComplaintPhrases, phrase_of
from taxonomy.tokens import folded
from zol.languages import LANGUAGES

DEFAULTS = Path(__file__).parents[2] / "taxonomy" / "defaults"


def rows(name: str) -> list[dict[str, str]]:
    with (DEFAULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def defaults() -> ComplaintPhrases:
    return ComplaintPhrases(rows("complaint_phrases.csv"))


def told(text: str, language: str, phrases: ComplaintPhrases | None = None) -> list[str]:
    found = (phrases or defaults()).find(folded(text), language)
    return [one.complaint for one in found]


def of(*texts: str) -> ComplaintPhrases:
    return ComplaintPhrases(
        {"complaint": f"c{at}", "language": "nl", "text": t} for at, t in enumerate(texts)
    )


@pytest.mark.parametrize(
    ("text", "language", "complaint"),
    [
        ("Mijn vader hoort sinds de winter niet meer goed", "nl", "hearing_loss"),
        ("I can hardly hear my grandchildren", "en", "hearing_loss"),
        ("ma mère entend mal", "fr", "hearing_loss"),
        ("Ich höre auf einer Seite kaum noch", "de", "hearing_loss"),
        ("sol kulağım duymuyor", "tr", "hearing_loss"),
        ("da un mese ci sento poco, il mio udito è calato", "it", "hearing_loss"),
        ("aud tot mai prost", "ro", "hearing_loss"),
        ("δεν ακούω καλά", "el", "hearing_loss"),
        ("onze kleinste plast nog elke nacht in zijn bed, hij is zes jaar", "nl", "bedwetting"),
        ("je dois uriner toutes les heures", "fr", "frequent_urination"),
        ("mir dreht sich alles beim Aufstehen", "de", "dizziness"),
        ("merdiven çıkarken nefesim yetmiyor", "tr", "shortness_of_breath"),
    ],
)
def test_what_is_told_in_everyday_words_is_heard(text, language, complaint):
    assert complaint in told(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ik heb nog niets van jullie gehoord", "nl"),
        ("ik zie niet goed hoe ik op de website een afspraak maak", "nl"),
        ("I can't see my appointment on the website", "en"),
        ("je vois mal comment prendre rendez-vous", "fr"),
        ("ich sehe auf der Seite keinen Termin", "de"),
        ("I will call you back tomorrow", "en"),
    ],
)
def test_what_is_said_of_something_else_is_no_complaint(text, language):
    assert told(text, language) == []


def test_parts_stand_in_any_order_with_a_few_words_between_them():
    phrases = of("hoor|hoort + niet goed|slecht")

    assert told("slecht hoor ik", "nl", phrases) == ["c0"]
    assert told("ik hoor de laatste tijd echt niet goed", "nl", phrases) == ["c0"]
    assert told("ik hoor dat de bus naar het ziekenhuis vandaag slecht rijdt", "nl", phrases) == []
    assert told("ik hoor dat niet, dat is goed", "nl", phrases) == []


def test_one_word_is_not_both_parts():
    assert told("ik hoor", "nl", of("hoor + hoor")) == []


def test_of_phrases_that_share_words_the_one_that_says_most_is_meant():
    assert told("mijn zoon plast in bed", "nl", of("plast + bed", "plast + bed + zoon")) == ["c1"]


def test_complaints_in_other_words_are_told_beside_each_other():
    found = of("hoor + slecht", "zie + wazig").find(folded("ik hoor slecht en zie wazig"), "nl")

    assert found == (ComplaintMention("c0", (1, 2)), ComplaintMention("c1", (4, 5)))


def test_a_star_stands_for_any_ending():
    assert told("ze is duizelig", "nl", of("duizel*")) == ["c0"]
    assert told("duizend", "nl", of("duizel*")) == []


def test_nothing_is_heard_in_a_language_without_phrases():
    assert told("ich höre schlecht", "de", of("hoor + slecht")) == []


WRONG = [
    ("hoor + ", "empty part", "leeg deel"),
    ("hoor | + slecht", "empty part", "leeg deel"),
    ("ho* + slecht", "“ho\\*” .* begins too many words", "minstens 3 letters"),
    ("hoor - telefoon - radio", "twice", "tweemaal"),
]


@pytest.mark.parametrize(("text", "english", "dutch"), WRONG)
def test_staff_are_told_what_is_wrong_with_a_phrase_in_their_language(text, english, dutch):
    for language, what in (("en", english), ("nl", dutch)):
        with override(language), pytest.raises(ValidationError, match=what):
            validate_phrase(text)


@pytest.mark.parametrize(("text", "_english", "_dutch"), WRONG)
def test_a_stored_row_that_cannot_be_read_is_left_out_and_told(text, _english, _dutch, caplog):
    phrases = of(text, "zie + wazig")

    assert told("ik hoor slecht en zie wazig", "nl", phrases) == ["c1"]
    assert text in caplog.text


def test_every_phrase_can_be_read_and_leads_somewhere():
    leading = {row["complaint"] for row in rows("complaint_routes.csv")}
    phrases = rows("complaint_phrases.csv")

    assert [row for row in phrases if row["complaint"] not in leading] == []
    assert all(phrase_of(row["complaint"], row["text"]).parts for row in phrases)


@pytest.mark.parametrize("language", LANGUAGES)
def test_complaints_are_told_in_every_language(language):
    assert (
        len({r["complaint"] for r in rows("complaint_phrases.csv") if r["language"] == language})
        > 90
    )


def test_a_word_that_is_said_a_thousand_times_is_still_read():
    assert told("hoor slecht erg " * 1000, "nl", of("hoor + slecht + erg")) == ["c0"]
