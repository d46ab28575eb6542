"""A turn's look-up in the taxonomy follows from intent, topic, expected answer and filters."""

from dataclasses import replace
from datetime import date

import pytest

from chat.sources.lookup import (
    asked_of,
    contact_of,
    departments_in,
    findings_of,
    listed,
    lookup_in,
    reader_of,
)
from retrieval.intents import Intent
from taxonomy.lookup.finding import Filters, FindingKind
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.resolvers.recognise import DERIVED
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import context, match, meant, snapshot, thing, tools, vocabulary

TODAY = date(2026, 11, 30)
EYES = thing(Kind.DEPARTMENT, "Oogziekten", phone="089 00 11 22")
ANN, NORTH = thing(Kind.DOCTOR, "Ann Peeters", title="Dr."), thing(Kind.CAMPUS, "Campus Noord")
WORDS = vocabulary((ANN, Predicate.WORKS_IN, EYES), (EYES, Predicate.LOCATED_AT, NORTH))
LISTS = meant(EYES, intent=Intent.DOCTOR_LOOKUP, wants_list=True)


def first(understood, question=""):
    asked = asked_of(understood, snapshot(WORDS), question)
    return findings_of(asked, understood.intent, TODAY)[0].kind


@pytest.mark.parametrize(
    ("intent", "says"),
    [
        (Intent.DOCTOR_LOOKUP, FindingKind.ROSTER),
        (Intent.DEPARTMENT_OR_SERVICE_LOOKUP, FindingKind.REACHED),
        (Intent.BOOKING_OR_CONTACT, FindingKind.REACHED),
        (Intent.UNKNOWN, FindingKind.REACHED),
    ],
)
def test_each_intent_has_its_handler(intent, says):
    assert first(meant(EYES, intent=intent)) is says


def test_a_doctor_who_is_named_is_told_about_whatever_is_asked():
    assert first(meant(ANN, EYES, intent=Intent.BOOKING_OR_CONTACT)) is FindingKind.DOCTOR


def test_who_asks_where_doctors_are_is_told_the_place():
    where = meant(EYES, intent=Intent.DOCTOR_LOOKUP, wants="place")

    assert first(where) is FindingKind.REACHED


def test_who_asks_for_all_of_a_campus_is_told_its_departments():
    practical = meant(NORTH, intent=Intent.NAVIGATION_OR_PRACTICAL_INFO)
    asked = asked_of(replace(practical, wants="all"), snapshot(WORDS))

    found = findings_of(asked, practical.intent, TODAY)

    assert [each.about for each in found if each.kind is FindingKind.DEPARTMENT] == [EYES]


@pytest.mark.parametrize(
    ("understood", "wants"),
    [
        pytest.param(meant(intent=Intent.DOCTOR_LOOKUP), "people", id="by its intent"),
        pytest.param(meant(topic="hours"), "time", id="by its topic"),
        pytest.param(meant(topic="hours", wants="rule"), "rule", id="as said"),
        pytest.param(meant(topic="hours", wants="other"), "time", id="other"),
        pytest.param(LISTS, "all", id="a whole list"),
        pytest.param(meant(intent=Intent.CONDITION_INFORMATION), "other", id="nothing says it"),
    ],
)
def test_what_an_answer_must_give_is_as_classified_else_by_topic_or_intent(understood, wants):
    assert asked_of(understood, snapshot(WORDS)).wants == wants


def test_a_list_is_everybody_of_the_department():
    found = listed(asked_of(LISTS, snapshot(WORDS)), LISTS.intent, TODAY)

    assert [each.kind for each in found] == [FindingKind.ROSTER, FindingKind.MEMBER]


def test_a_practical_question_leads_to_no_department_that_it_only_touches():
    touched = replace(match(EYES), is_borrowed=True, confidence=DERIVED)
    practical = meant(intent=Intent.NAVIGATION_OR_PRACTICAL_INFO)

    assert not asked_of(replace(practical, matches=(touched,)), snapshot(WORDS)).departments
    assert asked_of(replace(practical, matches=(match(EYES),)), snapshot(WORDS)).departments
    where = replace(practical, matches=(touched,), wants="place")
    assert asked_of(where, snapshot(WORDS)).departments
    assert not asked_of(replace(where, topic="parking"), snapshot(WORDS)).departments
    follows = replace(where, matches=(replace(match(EYES), by=FROM_CONDITION),))
    assert not asked_of(follows, snapshot(WORDS)).departments
    assert asked_of(replace(follows, is_followup=True), snapshot(WORDS)).departments


@pytest.mark.parametrize(
    ("need", "topic"), [("appointment", "appointment"), ("appointment_change", "")]
)
def test_who_changes_an_appointment_is_not_told_how_one_is_made(need, topic):
    understood = meant(EYES, intent=Intent.BOOKING_OR_CONTACT, topic="appointment")
    used = tools(words=WORDS, needs=lambda ctx: {need: 0.6, "jobs": 0.1})

    assert lookup_in(context(understanding=understood), used).topic == topic


@pytest.mark.parametrize(("follows", "genders"), [(True, frozenset("f")), (False, frozenset())])
def test_women_are_asked_for_among_doctors_who_were_told(follows, genders):
    rows = [{"concept": "woman", "kind": "person", "nl": "vrouw"}]
    known = snapshot(WORDS, taxonomy__lexiconconcept=rows)

    asked = asked_of(meant(is_followup=follows), known, "Is er een vrouw bij?")

    assert asked.filters.genders == genders


@pytest.fixture(scope="module")
def reading():
    return reader_of(snapshot())


@pytest.mark.parametrize(
    ("language", "question", "days", "languages"),
    [
        pytest.param("nl", "oogarts op vrijdag die Nederlands spreekt", {5}, {"nl"}, id="nl"),
        pytest.param("nl", "een Nederlandstalige oogarts", (), {"nl"}, id="a compound"),
        pytest.param("en", "which doctor speaks Greek", (), {"el"}, id="en"),
        pytest.param("fr", "un oculiste qui consulte le mardi", {2}, (), id="fr"),
        pytest.param("tr", "çarşamba günü hangi doktor var", {3}, (), id="tr"),
        pytest.param("el", "ποιος γιατρός μιλάει ελληνικά", (), {"el"}, id="el"),
        pytest.param("fr", "ma mère voit mal, quel médecin ?", (), (), id="no Tuesday"),
        pytest.param("nl", "wanneer is dokter Frans er?", (), (), id="a name"),
        pytest.param("nl", "welke oogarts is er, maar niet op vrijdag?", (), (), id="nl, except"),
        pytest.param("fr", "un oculiste, sauf le vendredi", (), (), id="fr, except"),
    ],
)
def test_days_and_languages_are_read_in_the_language_of_the_question(
    reading, language, question, days, languages
):
    assert reading.read(question, language) == Filters(frozenset(days), frozenset(languages))


LUNGS = thing(Kind.DEPARTMENT, "Longziekten", phone="089 00 11 33")
TWO = vocabulary((EYES, Predicate.LOCATED_AT, NORTH), (LUNGS, Predicate.LOCATED_AT, NORTH))


@pytest.mark.parametrize(
    ("answer", "sends_to"),
    [
        pytest.param(
            "Bel 089 00 11 33. [1] [2] Niet Oogziekten.", (LUNGS,), id="whose number it gives"
        ),
        pytest.param("Longziekten ligt naast Oogziekten.", (LUNGS, EYES), id="named, in its order"),
        pytest.param("Bel het onthaal op 089 00 99 00.", (), id="a number of nobody among them"),
        pytest.param("Tot de volgende dag rijdt u niet zelf.", None, id="nobody"),
    ],
)
def test_an_answer_sends_people_to_the_departments_that_it_gives(answer, sends_to):
    assert departments_in(answer, snapshot(TWO)) == sends_to


@pytest.mark.parametrize(
    ("answer", "card"),
    [
        ("Maak een afspraak bij Longziekten.", "Longziekten"),
        ("Bel het onthaal op 089 00 99 00.", None),
        ("U brengt uw bril mee.", "Oogziekten"),
    ],
)
def test_the_card_beside_a_models_answer_is_of_the_department_that_it_sends_people_to(answer, card):
    ctx = context(understanding=meant(EYES, intent=Intent.BOOKING_OR_CONTACT))

    beside = contact_of(ctx.learn(text=answer, engine="model"), snapshot(TWO))

    assert beside.get("name") == card
