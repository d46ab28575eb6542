"""A list of doctors follows the day and the language that are asked for, and says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.lookup.asked import Asked
from chat.lookup.doctors import find_doctors
from chat.lookup.filters import Filters, filters_in
from chat.lookup.finding import Finding, Says
from chat.phrases import Phrases
from chat.safety.rows import defaults
from chat.schedules import day_names
from retrieval.intents import Intent
from taxonomy.kinds import Kind, Predicate
from tests.builders import meant, thing, vocabulary

EYES = thing(Kind.DEPARTMENT, "Oogziekten")
ANN = thing(Kind.DOCTOR, "Ann Peeters", schedule="wo 9:00-12:00|vr 9:00-12:00", languages=["nl"])
ELENI = thing(Kind.DOCTOR, "Eleni Georgiou", schedule="ma-wo 9:00-12:00", languages=["fr", "el"])
UNKNOWN = thing(Kind.DOCTOR, "Bo Claes")
WORDS = vocabulary(*((doctor, Predicate.WORKS_IN, EYES) for doctor in (ANN, ELENI, UNKNOWN)))


@pytest.fixture(scope="module")
def phrases():
    texts = {(row["kind"], row["language"]): row["text"] for row in defaults("texts")}
    return Phrases(texts, days=day_names(defaults("cues")))


@pytest.mark.parametrize(
    ("language", "question", "filters"),
    [
        pytest.param("nl", "oogarts op vrijdag die Nederlands spreekt", Filters({5}, {"nl"}), id="nl"),
        pytest.param("nl", "een Nederlandstalige oogarts", Filters((), {"nl"}), id="a compound"),
        pytest.param("en", "which doctor speaks Greek", Filters((), {"el"}), id="en"),
        pytest.param("fr", "un oculiste qui consulte le mardi", Filters({2}), id="fr"),
        pytest.param("de", "Augenarzt am Freitag, der Türkisch spricht", Filters({5}, {"tr"}), id="de"),
        pytest.param("tr", "çarşamba günü hangi doktor var", Filters({3}), id="tr"),
        pytest.param("it", "quale oculista riceve il venerdì", Filters({5}), id="it"),
        pytest.param("ro", "ce doctor vorbește română", Filters((), {"ro"}), id="ro"),
        pytest.param("el", "ποιος γιατρός μιλάει ελληνικά", Filters((), {"el"}), id="el"),
        pytest.param("fr", "ma mère voit mal, quel médecin me conseillez-vous", Filters(), id="none"),
    ],
)  # fmt: skip
def test_days_and_languages_are_read_in_the_language_of_the_question(
    phrases, language, question, filters
):
    expected = Filters(frozenset(filters.days), frozenset(filters.languages))

    assert filters_in(question, phrases, language) == expected


def told(filters, *things):
    understood = meant(*things, intent=Intent.DOCTOR_LOOKUP)
    return tuple(find_doctors(replace(Asked(understood, WORDS), filters=filters)))


def test_only_who_is_known_to_fit_is_told_and_when():
    filters = Filters(days=frozenset({5}))

    findings = told(filters, EYES)

    assert Finding(Says.FILTERED, EYES, things=(ANN,), filters=filters) in findings
    assert [f.about for f in findings if f.says is Says.MEMBER] == [ANN]
    assert Finding(Says.SCHEDULE, ANN, value=ANN.get("schedule")) in findings


def test_where_nobody_is_known_to_fit_that_is_said_and_all_are_told():
    filters = Filters(languages=frozenset({"tr"}))

    findings = told(filters, EYES)

    assert findings[0] == Finding(Says.FILTERED_NONE, EYES, filters=filters)
    assert [f.about for f in findings if f.says is Says.MEMBER] == [ANN, ELENI, UNKNOWN]


def test_who_speaks_a_language_is_told_of_the_whole_hospital():
    findings = told(Filters(languages=frozenset({"el"})))

    assert [f.about for f in findings if f.says is Says.MEMBER] == [ELENI]
