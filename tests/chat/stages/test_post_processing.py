"""Answers get missing doctors and departments, a review flag, and next questions."""

from dataclasses import replace

import pytest

from chat import wiring
from chat.answering.additions import next_questions
from chat.checking.base import Citation
from chat.stages.post_processing import post_processing
from chat.turn import Dossier, Turn
from retrieval.intents import Intent
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import (
    context,
    meant,
    passage,
    phrases,
    snapshot,
    source,
    thing,
    tools,
    vocabulary,
)

FLOORS = "> - Verdieping 1: Longziekten\n> - Verdieping 2: Oogziekten"


@pytest.mark.parametrize(
    ("question", "departments"),
    [
        ("Op welke verdieping van oogziekten zit mijn dokter?", ["Oogziekten"]),
        pytest.param("Welke dokter helpt mij?", [], id="no department is asked about"),
        pytest.param("Welke dokter van oogziekten spreekt Grieks?", [], id="nobody speaks it"),
        pytest.param("Op welke verdieping is het restaurant?", [], id="nobody is asked for"),
    ],
)
def test_a_plan_of_the_floors_adds_the_doctors_of_the_department_that_was_asked_about(
    mini, question, departments
):
    kit, turn = wiring.tools(), Turn(question)
    meaning = wiring.read_by_code(turn, kit.snapshot)
    ctx = context(question, understanding=meaning, text=FLOORS, engine="model")

    told = post_processing(ctx, kit).detail.get("supplement", {})

    assert list(told.get("supplement", {})) == departments


RADIOLOGY = thing(Kind.DEPARTMENT, "Radiologie", hours="ma-vr 8:00-18:00")
CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie")
ANN = thing(Kind.DOCTOR, "Ann Peeters")
BOB = thing(Kind.DOCTOR, "Bob Claes", schedule="ma 9:00-12:00@sint-jan")
WORDS = vocabulary(
    (ANN, Predicate.WORKS_IN, RADIOLOGY),
    (ANN, Predicate.WORKS_IN, CARDIOLOGY),
    (BOB, Predicate.WORKS_IN, CARDIOLOGY),
)
TEXTS = phrases(
    suggest_doctors="Welke artsen werken bij {department}?",
    suggest_booking="Hoe maak ik een afspraak bij {department}?",
    suggest_hours="Wat zijn de bezoekuren van {department}?",
)


def offered(*passages, **learned):
    ctx = context(passages=passages, **learned)
    return tuple(next_questions(ctx, tools(words=WORDS, phrases=TEXTS)))


def test_a_heading_of_a_page_is_not_offered_whatever_it_looks_like():
    page = passage("…", questions=("Parkeren op campus Sint-Jan?", "Hoe lang duurt een scan?"))

    assert offered(page) == ()


def test_only_what_is_known_of_a_department_is_offered():
    assert offered(understanding=meant(CARDIOLOGY)) == (
        "Welke artsen werken bij Cardiologie?",
        "Hoe maak ik een afspraak bij Cardiologie?",
    )


def test_no_appointment_is_offered_where_nobody_holds_consultations():
    assert offered(understanding=meant(RADIOLOGY)) == ("Welke artsen werken bij Radiologie?",)


UROLOGY = thing(Kind.DEPARTMENT, "Urologie", phone="089 00 11 44")
STONES = thing(Kind.CONDITION, "Nierstenen")
UROLOGISTS = [thing(Kind.DOCTOR, name, title="Dr.") for name in ("Ann Peeters", "Jan Maes")]
CARE = vocabulary(
    (UROLOGY, Predicate.HANDLES, STONES),
    *((doctor, Predicate.WORKS_IN, UROLOGY) for doctor in UROLOGISTS),
)
PAGE = source("Nierstenen", document_id=7)
TEXT = "Drink twee liter per dag. Kinderen van 10 jaar krijgen 5 ml. Bel 089 00 11 44."
SERVED = snapshot(
    CARE, taxonomy__lexiconconcept=[{"concept": "department", "kind": "", "nl": "dienst"}]
)
READ = passage(TEXT, source=PAGE)
CITED = Citation(1, PAGE.title, PAGE.url, document_id=7)
LEADS = phrases(
    lead_condition_department="Voor {condition} kunt u terecht bij {department}.",
    phone_label="Telefoon",
)


def checked(answer, *, citations=(CITED,), engine="model", learned=None, **kit):
    ctx = context(
        text=answer,
        citations=citations,
        engine=engine,
        passages=(READ,),
        dossier=Dossier((READ,)),
        **(learned or {}),
    )
    events = []
    kit = tools(snapshot=SERVED, phrases=LEADS, emit=events.append, **kit)
    result = post_processing(ctx, kit)
    return result.context, result.detail["check"], events


def test_a_models_answer_stays_as_it_was_shown_and_staff_are_told_where_it_is_like_nothing():
    said = "Algemeen geldt dat dit vanzelf overgaat. [1]"
    cited = replace(CITED, passage="Drink twee liter per dag.")

    ctx, detail, events = checked(said, citations=(cited,), resembles=lambda one, other: 0.1)

    assert (ctx.answer, ctx.reply.engine, events) == (said, "model", [])
    assert detail["needs_review"]


def test_a_routed_department_is_added_where_one_was_asked_for_and_none_is_named():
    learned = {
        "understanding": meant(STONES, intent=Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION),
        "routed": (UROLOGY,),
    }
    ctx, detail, events = checked("Wij kijken het na. [1]", learned=learned)

    assert ctx.answer.startswith("Wij kijken het na. [1]")
    assert "Voor Nierstenen kunt u terecht bij Urologie." in ctx.answer
    assert detail["added"] in events[0].text


@pytest.mark.parametrize(
    ("answer", "intent"),
    [
        pytest.param("Bel de ambulante hulp op 089 00 11 44. [1]", Intent.BOOKING_OR_CONTACT,
                     id="it has a number"),
        pytest.param("Drink twee liter per dag. [1]", Intent.CONDITION_INFORMATION,
                     id="no department was asked for"),
    ],
)  # fmt: skip
def test_a_models_answer_is_not_sent_elsewhere(answer, intent):
    learned = {"understanding": meant(STONES, intent=intent), "routed": (UROLOGY,)}

    ctx, _, _ = checked(answer, learned=learned)

    assert ctx.answer == answer


def test_who_is_missing_of_a_roster_is_added():
    learned = {"understanding": meant(UROLOGY), "roster": tuple(UROLOGISTS)}
    ctx, detail, _ = checked("Bij Urologie werkt Dr. Ann Peeters. [1]", learned=learned)

    assert "- Dr. Jan Maes" in ctx.answer
    assert "Peeters" not in detail["added"]
