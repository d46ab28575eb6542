"""What a model said of a message and what code heard become one understanding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.question.classification import MeantMoment
from chat.question.classified import classification_of, moments_meant, understood
from chat.turn import Exchange, Turn
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from tests.builders import meant, thing

EYES, HEART = thing(Kind.DEPARTMENT, "Oogziekten"), thing(Kind.DEPARTMENT, "Cardiologie")
HEARD = meant(HEART, intent=Intent.BOOKING_OR_CONTACT, confidence=0.6, query="cardiologie bellen")
FOUND = meant(EYES, intent=Intent.CONDITION_INFORMATION, query="Wat is staar?")


def read(turn):
    return FOUND if turn.question == "Wat is staar?" else HEARD


ASKED = Turn("?")


def understanding(turn=ASKED, heard=HEARD, **said):
    base = replace(classification_of(heard), rewritten="Wat is staar?", confidence=0.9)
    return understood(heard, replace(base, **said), turn, read, lambda text: ())


def test_where_no_more_is_said_codes_reading_stands_as_it_is():
    said = classification_of(HEARD)

    assert understood(HEARD, said, Turn("?"), read, tuple) == replace(HEARD, classification=said)


def test_what_the_rewritten_question_names_leads_and_what_the_visitor_named_stays():
    named = understanding(intent=Intent.CONDITION_INFORMATION).matched(Kind.DEPARTMENT)

    assert named == (EYES, HEART)


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ({"intent": "jobs"}, Intent.NAVIGATION_OR_PRACTICAL_INFO),
        ({"advice": "personal"}, Intent.OUT_OF_SCOPE_MEDICAL_ADVICE),
        ({"advice": "personal", "confidence": 0.6}, Intent.BOOKING_OR_CONTACT),
        ({"intent": Intent.OUT_OF_SCOPE_MEDICAL_ADVICE}, Intent.CONDITION_INFORMATION),
        ({"kind": "unclear"}, Intent.VAGUE_INPUT),
        ({"kind": "person_wanted"}, Intent.VAGUE_INPUT),
        ({"kind": "thanks", "confidence": 0.6}, Intent.BOOKING_OR_CONTACT),
        ({"kind": "grief"}, Intent.BOOKING_OR_CONTACT),
    ],
)
def test_the_intent_that_a_models_word_amounts_to(said, intent):
    assert understanding(**said).intent is intent


def test_billing_is_searched_by_its_own_row():
    assert understanding(intent="billing_or_insurance").topic == "billing"


def test_only_a_model_says_whether_a_question_follows():
    turn = Turn("en de prijs?", history=(Exchange("Wat is staar?", ""),))
    carried = replace(HEARD, is_followup=True)

    assert understanding(turn, carried, follows=True).is_followup
    assert not understanding(turn, carried, follows=False).is_followup


def test_the_language_is_the_models_only_where_code_is_hardly_sure():
    unsure = replace(HEARD, evidence={"language_confidence": 0.3})

    assert understanding(language="fr").language == HEARD.language
    assert understanding(heard=unsure, language="fr").language == "fr"
    assert understanding(heard=unsure, language="pl").language == HEARD.language


def test_a_day_that_code_does_not_read_is_the_models():
    said = MeantMoment("2026-12-24T00:00", "2026-12-25T00:00", "de dag voor Kerstmis")

    assert moments_meant(said, ()) == (said,)
    assert moments_meant(None, ()) == ()
