"""A list of doctors follows the day and the language that are asked for, and says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.lookup.doctors import find_doctors
from chat.lookup.filters import Filters, reader
from chat.lookup.finding import Finding, Says
from chat.lookup.handlers import findings_of
from chat.lookup.lookup_question import LookupQuestion
from chat.phrases import Phrases
from chat.safety.rows import defaults
from retrieval.intents import Intent
from taxonomy.dates.words import calendar
from taxonomy.kinds import Kind, Predicate
from tests.builders import meant, thing, vocabulary

EYES = thing(Kind.DEPARTMENT, "Oogziekten")
ANN = thing(Kind.DOCTOR, "Ann Peeters", schedule="wo 9:00-12:00|vr 9:00-12:00", languages=["nl"])
ELENI = thing(Kind.DOCTOR, "Eleni Georgiou", schedule="ma-wo 9:00-12:00", languages=["fr", "el"])
UNKNOWN = thing(Kind.DOCTOR, "Bo Claes")
WORDS = vocabulary(*((doctor, Predicate.WORKS_IN, EYES) for doctor in (ANN, ELENI, UNKNOWN)))


@pytest.fixture(scope="module")
def reading():
    texts = {(row["kind"], row["language"]): row["text"] for row in defaults("texts")}
    return reader(Phrases(texts), defaults("cues"), calendar(defaults("cues"), "be"))


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
    reading, language, question, filters
):
    expected = Filters(frozenset(filters.days), frozenset(filters.languages))

    assert reading.read(question, language) == expected


@pytest.mark.parametrize(
    ("language", "question", "days", "without"),
    [
        pytest.param("nl", "welke oogarts is er, maar niet op vrijdag?", (), {5}, id="nl"),
        pytest.param("nl", "vrijdag kan ik niet, welke oogarts wel?", (), {5}, id="nl, behind it"),
        pytest.param("nl", "niet op maandag maar op vrijdag", {5}, {1}, id="another day does suit"),
        pytest.param("en", "an eye doctor, not on Friday", (), {5}, id="en"),
        pytest.param("fr", "un oculiste, sauf le lundi et le vendredi", (), {1, 5}, id="two days"),
        pytest.param("de", "Augenarzt, aber nicht am Freitag", (), {5}, id="de"),
        pytest.param("tr", "cuma hariç hangi göz doktoru var", (), {5}, id="tr"),
        pytest.param("it", "un oculista, tranne il venerdì", (), {5}, id="it"),
        pytest.param("ro", "un oftalmolog în afară de vineri", (), {5}, id="ro"),
        pytest.param("el", "οφθαλμίατρος, όχι την Παρασκευή", (), {5}, id="el"),
        pytest.param("el", "οφθαλμίατρος εκτός από την Παρασκευή", (), {5}, id="el, except"),
    ],
)
def test_a_day_that_does_not_suit_is_left_out(reading, language, question, days, without):
    expected = Filters(days=frozenset(days), without=frozenset(without))

    assert reading.read(question, language) == expected


@pytest.mark.parametrize(
    ("language", "question"),
    [
        pytest.param("nl", "wanneer is dokter Frans er?", id="Frans"),
        pytest.param("en", "when is Dr German in?", id="German"),
    ],
)
def test_a_name_behind_a_title_is_no_language(reading, language, question):
    assert reading.read(question, language) == Filters()


@pytest.mark.parametrize(
    ("language", "question"),
    [
        pytest.param("nl", "Welke afdelingen zijn er op campus Noord?", id="nl"),
        pytest.param("en", "Which of your departments are at campus North?", id="en"),
        pytest.param("fr", "Quels services trouve-t-on au campus Nord ?", id="fr"),
        pytest.param("de", "Welche Abteilungen gibt es am Campus Nord?", id="de"),
        pytest.param("tr", "Noord kampüsünde hangi bölümler var?", id="tr"),
        pytest.param("it", "Quali reparti ci sono al campus Nord?", id="it"),
        pytest.param("ro", "Ce secții sunt în campusul Nord?", id="ro"),
        pytest.param("el", "Ποια τμήματα υπάρχουν στην πανεπιστημιούπολη;", id="el"),
    ],
)
def test_a_list_of_departments_is_recognised(reading, language, question):
    assert reading.lists_departments(question, language)


def test_one_department_is_no_list(reading):
    assert not reading.lists_departments("Waar is de dienst Oogziekten?", "nl")


def told(filters, *things):
    understood = meant(*things, intent=Intent.DOCTOR_LOOKUP)
    return tuple(find_doctors(replace(LookupQuestion(understood, WORDS), filters=filters)))


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


NORTH, SOUTH = (thing(Kind.CAMPUS, name, key=name.lower()) for name in ("Noord", "Zuid"))
IN_TWO_PLACES = thing(
    Kind.DOCTOR, "Carla Maes", schedule="ma 9:00-12:00@noord|vr 9:00-12:00@zuid", languages=["nl"]
)
PLACES = vocabulary(
    (IN_TWO_PLACES, Predicate.WORKS_IN, EYES),
    *((IN_TWO_PLACES, Predicate.LOCATED_AT, campus) for campus in (NORTH, SOUTH)),
)


def test_a_day_counts_at_the_campus_that_is_asked_for():
    friday = frozenset({5})

    assert Filters(friday, campuses=(SOUTH,)).keep([IN_TWO_PLACES], PLACES)
    assert not Filters(friday, campuses=(NORTH,)).keep([IN_TWO_PLACES], PLACES)
    assert not Filters(without=friday, campuses=(SOUTH,)).keep([IN_TWO_PLACES], PLACES)


def test_more_than_a_list_holds_are_counted_with_their_departments():
    many = [thing(Kind.DOCTOR, f"Dokter {n}", languages=["el"]) for n in range(15)]
    words = vocabulary(*((doctor, Predicate.WORKS_IN, EYES) for doctor in many))
    filters = Filters(languages=frozenset({"el"}))
    understood = meant(intent=Intent.DOCTOR_LOOKUP)

    findings = tuple(find_doctors(replace(LookupQuestion(understood, words), filters=filters)))

    (further,) = [f for f in findings if f.says is Says.FURTHER]
    assert (further.value, further.things) == ("3", (EYES,))
    assert len([f for f in findings if f.says is Says.MEMBER]) == 12


def test_departments_of_a_campus_are_listed_when_they_are_asked_for():
    skin = thing(Kind.DEPARTMENT, "Dermatologie")
    words = vocabulary(*((each, Predicate.LOCATED_AT, NORTH) for each in (EYES, skin)))
    asked = LookupQuestion(meant(NORTH), words)

    listed = findings_of(replace(asked, lists_departments=True))

    assert listed[0] == Finding(Says.AT_CAMPUS, NORTH, things=(skin, EYES))
    assert [f.about for f in listed[1:]] == [skin, EYES]
    assert Says.AT_CAMPUS not in {f.says for f in findings_of(asked)}


CATARACT = thing(Kind.CONDITION, "Grijze staar")
TREATING = vocabulary(
    (ANN, Predicate.WORKS_IN, EYES),
    (ELENI, Predicate.WORKS_IN, EYES),
    (UNKNOWN, Predicate.WORKS_IN, EYES),
    (EYES, Predicate.HANDLES, CATARACT),
    (CATARACT, Predicate.TREATED_BY, ANN),
    (CATARACT, Predicate.TREATED_BY, ELENI),
)


def of_cataract(**filters):
    meaning = meant(CATARACT, intent=Intent.DOCTOR_LOOKUP)
    return list(find_doctors(LookupQuestion(meaning, TREATING, filters=Filters(**filters))))


def test_of_those_who_treat_something_only_who_fits_is_told():
    found = of_cataract(days=frozenset({5}))

    assert Finding(Says.FILTERED, CATARACT, (ANN,), filters=Filters(frozenset({5}))) in found
    assert [each.about for each in found if each.says is Says.MEMBER] == [ANN]
    assert not any(each.says is Says.OPTION for each in found)


def test_where_none_of_those_who_treat_something_fits_that_is_said():
    found = of_cataract(languages=frozenset({"tr"}))

    assert any(each.says is Says.FILTERED_NONE for each in found)
    assert [each.about for each in found if each.says is Says.OPTION] == [ANN, ELENI]


def test_a_woman_is_asked_for_among_those_who_were_told():
    woman = thing(Kind.DOCTOR, "Vera Maes", gender="f")
    man = thing(Kind.DOCTOR, "Luc Maes", gender="m")
    words = vocabulary((woman, Predicate.WORKS_IN, EYES), (man, Predicate.WORKS_IN, EYES))

    assert Filters(genders=frozenset("f")).keep((woman, man, UNKNOWN), words) == (woman,)
