"""Whoever wrote an answer, only what is borne out counts; what was taken out is told."""

from dataclasses import replace

import pytest

from chat.checking.base import Citation
from chat.stages.post_processing import post_processing
from chat.turn import Dossier
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

UROLOGY = thing(Kind.DEPARTMENT, "Urologie", phone="089 00 11 44")
STONES = thing(Kind.CONDITION, "Nierstenen")
DOCTORS = [thing(Kind.DOCTOR, name, title="Dr.") for name in ("Ann Peeters", "Jan Maes")]
WORDS = vocabulary(
    (UROLOGY, Predicate.HANDLES, STONES),
    *((doctor, Predicate.WORKS_IN, UROLOGY) for doctor in DOCTORS),
)
PAGE = source("Nierstenen", document_id=7)
TEXT = "Drink twee liter per dag. Kinderen van 10 jaar krijgen 5 ml. Bel 089 00 11 44."
SERVED = snapshot(
    WORDS, taxonomy__lexiconconcept=[{"concept": "department", "kind": "", "nl": "dienst"}]
)
READ = passage(TEXT, source=PAGE)
CITED = Citation(1, PAGE.title, PAGE.url, document_id=7)
TEXTS = phrases(
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
    kit = tools(snapshot=SERVED, phrases=TEXTS, emit=events.append, **kit)
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
    learned = {"understanding": meant(UROLOGY), "roster": tuple(DOCTORS)}
    ctx, detail, _ = checked("Bij Urologie werkt Dr. Ann Peeters. [1]", learned=learned)

    assert "- Dr. Jan Maes" in ctx.answer
    assert "Peeters" not in detail["added"]
