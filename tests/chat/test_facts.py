"""Findings of the taxonomy are written by code, complete and with their sources."""

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest

from chat.answering.answer import answered_anew
from chat.behaviours import Certainty
from chat.stages.graph_enrichment import graph_enrichment
from retrieval.intents import Intent
from retrieval.passage import Page, Pages
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import context, match, meant, phrases, thing, tools, vocabulary

CAMPUS = thing(Kind.CAMPUS, "Campus Noord")
CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie", "en:cardiology", phone="089 00 11 22")
GERIATRICS = thing(Kind.DEPARTMENT, "Geriatrie")
PALPITATIONS = thing(Kind.CONDITION, "Palpitaties", "hartkloppingen")
DEMENTIA = thing(Kind.CONDITION, "Dementie")
ANN = thing(
    Kind.DOCTOR,
    "Ann Peeters",
    title="Dr.",
    specialty="cardioloog",
    schedule="ma 9:00-12:00@campus-noord",
)
KOEN = thing(Kind.DOCTOR, "Koen Peeters", title="Dr.", specialty="geriater")
WORDS = vocabulary(
    (CARDIOLOGY, Predicate.LOCATED_AT, CAMPUS),
    (CARDIOLOGY, Predicate.HANDLES, PALPITATIONS),
    (GERIATRICS, Predicate.HANDLES, DEMENTIA),
    (CARDIOLOGY, Predicate.HANDLES, DEMENTIA),
    (ANN, Predicate.WORKS_IN, CARDIOLOGY),
    (ANN, Predicate.LOCATED_AT, CAMPUS),
    (KOEN, Predicate.WORKS_IN, GERIATRICS),
)
TEXTS = phrases(
    lead_condition_department="Voor {condition} kunt u terecht bij {department}.",
    lead_doctor="{doctor} ({specialty}) werkt bij {department}, {campus}.",
    lead_roster="Bij {department} werken {count} artsen:",
    lead_roster_one="Bij {department} werkt één arts:",
    phone_label="Telefoon",
    fact_schedule="Raadpleging van {doctor}: {schedule}.",
    ambiguous="Welke bedoelt u?",
    list_and="en",
    not_on_pages="Hierover vond ik niets. Bel {desk_phone}.",
)


def compose(ctx, kit):
    """Return what the embedded engine says of facts alone."""
    told = answered_anew(ctx, kit, kit.engine.generate)[0]
    return SimpleNamespace(
        text=told.answer,
        verified=told.reply.verified,
        citations=told.citations,
        certainty=told.reply.certainty,
    )


def answered(understanding, **kit):
    values = tools(**{"words": WORDS, "phrases": TEXTS} | kit)
    ctx = graph_enrichment(context(understanding=understanding), values).context
    return compose(ctx, values)


def test_a_condition_leads_to_its_department_with_campus_and_telephone():
    answer = answered(meant(PALPITATIONS, intent=Intent.DEPARTMENT_OR_SERVICE_LOOKUP))

    assert "Voor Palpitaties kunt u terecht bij Cardiologie." in answer.text
    assert "Cardiologie: Telefoon 089 00 11 22; Campus Noord" in answer.text
    assert answer.verified


def test_who_asks_for_a_doctor_and_the_day_reads_when_each_of_a_list_consults():
    listed = meant(CARDIOLOGY, intent=Intent.DOCTOR_LOOKUP, topic="hours")

    answer = answered(listed)

    assert "- Dr. Ann Peeters (cardioloog, Campus Noord): maandag 9:00-12:00" in answer.text


def test_two_doctors_of_one_name_are_both_listed_with_when_they_consult():
    both = replace(meant(intent=Intent.DOCTOR_LOOKUP, topic="hours"), matches=(match(ANN, KOEN),))

    answer = answered(both).text

    assert answer.startswith("Welke bedoelt u?")
    assert "Dr. Ann Peeters, cardioloog, Cardiologie, Campus Noord: maandag 9:00-12:00" in answer
    assert "Dr. Koen Peeters, geriater, Geriatrie" in answer


def test_each_page_has_one_number_and_every_number_stands_in_the_list():
    answer = answered(meant(PALPITATIONS, intent=Intent.DEPARTMENT_OR_SERVICE_LOOKUP))

    assert [c.n for c in answer.citations] == [1, 2]
    assert len({c.url for c in answer.citations}) == 2


def test_a_fact_is_cited_with_the_page_that_is_about_it():
    page = Page(7, "Dienst Cardiologie", CARDIOLOGY.url, "nl", 70, "Welkom")

    answer = answered(
        meant(CARDIOLOGY, intent=Intent.BOOKING_OR_CONTACT), pages=Pages({page.url: page})
    )

    assert [(c.title, c.chunk_id) for c in answer.citations] == [("Dienst Cardiologie", 70)]


def test_in_another_language_a_name_is_said_in_both():
    answer = answered(
        meant(PALPITATIONS, intent=Intent.DEPARTMENT_OR_SERVICE_LOOKUP, language="en")
    )

    assert "Cardiologie (cardiology)" in answer.text


@pytest.mark.parametrize("intent", [Intent.UNKNOWN, Intent.NAVIGATION_OR_PRACTICAL_INFO])
def test_when_nothing_is_known_the_telephone_is_given(intent):
    answer = answered(meant(intent=intent))

    assert answer.text == "Hierover vond ik niets. Bel 089 00 00 00."
    assert answer.certainty is Certainty.NOTHING


CAMPUS_SOUTH = thing(Kind.CAMPUS, "Campus Zuid")
BIRTHS = thing(Kind.DEPARTMENT, "Verloskunde")
MAX = thing(Kind.DOCTOR, "Max Maes", title="Dr.", specialty="cardioloog", gender="m")
EVA = thing(Kind.DOCTOR, "Eva Nijs", title="Dr.", specialty="cardioloog", gender="v")
MIDWIFE = thing(Kind.DOCTOR, "Joke Bos", specialty="vroedvrouw")
STAFF = vocabulary(
    (MAX, Predicate.WORKS_IN, CARDIOLOGY),
    (MAX, Predicate.LOCATED_AT, CAMPUS),
    (EVA, Predicate.WORKS_IN, CARDIOLOGY),
    (EVA, Predicate.LOCATED_AT, CAMPUS_SOUTH),
    (MIDWIFE, Predicate.WORKS_IN, BIRTHS),
    (CARDIOLOGY, Predicate.LOCATED_AT, CAMPUS),
)
SAID = phrases(
    lead_roster="Bij {department} werken {count} artsen:",
    lead_roster_one="Bij {department} werkt één arts:",
    lead_team="Bij {department} werken:",
    lead_filtered="Artsen van {department} ({criteria}):",
    lead_booking="Een afspraak bij {department} maakt u zo:",
    lead_department_contact="Zo bereikt u {department}:",
)


def told(*things, question="", **fields):
    understanding = meant(*things, **fields)
    values = tools(words=STAFF, phrases=SAID)
    asked = context(question or "Wie werkt daar?", understanding=understanding)
    return compose(graph_enrichment(asked, values).context, values)


def test_how_many_doctors_there_are_is_only_said_of_all_of_a_department():
    everybody = told(CARDIOLOGY, intent=Intent.DOCTOR_LOOKUP)
    some = told(CARDIOLOGY, CAMPUS, intent=Intent.DOCTOR_LOOKUP)

    assert everybody.text.startswith("Bij Cardiologie werken 2 artsen:")
    assert told(BIRTHS, intent=Intent.DOCTOR_LOOKUP).text.startswith("Bij Verloskunde werken:")
    assert some.text.startswith("Artsen van Cardiologie (Campus Noord):")
    assert "Max Maes" in some.text
    assert "Eva Nijs" not in some.text


def test_a_list_that_leaves_something_out_that_was_named_is_not_verified():
    assert told(CARDIOLOGY, intent=Intent.DOCTOR_LOOKUP).verified
    both = told(CARDIOLOGY, MIDWIFE, intent=Intent.DOCTOR_LOOKUP)

    assert not both.verified


@pytest.mark.parametrize(
    ("until", "told"),
    [
        ("2999-03-01", "Raadpleging van Dr. Els Maes: nu gesloten; weer open: 1 maart 2999."),
        ("2020-03-01", "Raadpleging van Dr. Els Maes: maandag 9:00-12:00."),
    ],
)
def test_of_a_doctor_who_is_away_it_is_told_when_they_are_back(until, told):
    els = thing(Kind.DOCTOR, "Els Maes", title="Dr.", schedule="ma 9:00-12:00", absent_until=until)
    words = vocabulary((els, Predicate.WORKS_IN, CARDIOLOGY))

    now = datetime(2026, 11, 28, 9)
    answer = answered(meant(els, intent=Intent.DOCTOR_LOOKUP), words=words, now=now)

    assert told in answer.text
    assert answer.text.count("Raadpleging") == 1


def test_in_a_list_nobody_who_is_away_is_told_to_consult():
    els = thing(
        Kind.DOCTOR, "Els Maes", title="Dr.", schedule="ma 9:00-12:00", absent_until="2999-03-01"
    )
    words = vocabulary((els, Predicate.WORKS_IN, CARDIOLOGY), (ANN, Predicate.WORKS_IN, CARDIOLOGY))
    asked = meant(CARDIOLOGY, intent=Intent.DOCTOR_LOOKUP, topic="hours")

    answer = answered(asked, words=words)

    assert "Ann Peeters (cardioloog): maandag 9:00-12:00" in answer.text
    assert "Els Maes" in answer.text
    assert answer.text.count("maandag") == 1
