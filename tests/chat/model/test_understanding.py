"""A model reads what code is not certain of; names and safety stay with code."""

from __future__ import annotations

import json

import pytest
from django.db import connections

from chat import services
from chat.behaviours import Behaviour
from chat.channels import sessions
from chat.models import CachedAnswer
from retrieval.intents import Intent
from retrieval.models import RetrievalSetting
from tests.scripted import Line
from tests.taxonomy.releases import publish_draft
from zol.tenancy import serving

ENTIRELY = 1.0
ODD = "dat spul achter mijn oog is zo troebel, kunnen jullie daar iets mee?"


def meaning(**fields):
    values = {
        "intent": "condition_information",
        "confidence": 0.9,
        "rewritten": "Wat is cataract?",
        "is_followup": False,
        "followup_confidence": 0.0,
        "kind": "question",
    }
    return json.dumps(values | fields)


def reads(stack, reply):
    """Let the model that understands say this, and the one that answers a good sentence."""

    def line(request):
        if request["model"] == "tiny-standard":
            return reply if isinstance(reply, Line) else Line(reply)
        return Line("Bij cataract is de lens troebel [1].")

    stack.endpoint.play(line)


@pytest.fixture(scope="module")
def careful(hospital_with_doses, django_db_blocker):
    """A hospital whose staff want a model asked unless code is entirely certain."""
    with django_db_blocker.unblock():
        with serving(hospital_with_doses):
            RetrievalSetting.objects.create(
                hospital=hospital_with_doses, name="certain_from", value=ENTIRELY
            )
        publish_draft(hospital_with_doses)
        connections.close_all()


@pytest.fixture
def uncertain(careful, stack):
    return stack


def test_the_models_reading_is_taken_and_its_words_are_resolved_by_code(uncertain):
    reads(uncertain, meaning())

    ctx = uncertain.ask(ODD)

    assert ctx.understanding.intent is Intent.CONDITION_INFORMATION
    assert [match.thing.name for match in ctx.understanding.matches][:1] == ["Cataract"]
    assert uncertain.trace["understand"].detail["evidence"]["model"]["rewritten"]


def test_the_answer_stays_in_the_visitors_language(uncertain):
    reads(uncertain, meaning())

    ctx = uncertain.ask("what is that cloudy thing behind my eye?")

    assert ctx.understanding.language == "en"


def test_advice_below_the_limit_does_not_refuse(uncertain):
    reads(uncertain, meaning(intent="out_of_scope_medical_advice", confidence=0.5))

    assert uncertain.ask("Wat is cataract?").behaviour is Behaviour.ANSWER


def test_advice_from_the_limit_on_refuses(uncertain):
    reads(uncertain, meaning(intent="out_of_scope_medical_advice", confidence=0.8))

    assert uncertain.ask(ODD).behaviour is Behaviour.REFUSE_MEDICAL


def test_a_refusal_by_code_is_never_undone_by_a_model(uncertain):
    reads(uncertain, meaning(intent="treatment_or_exam_information"))

    ctx = uncertain.ask("Welke dosis paracetamol moet ik mijn kind geven?")

    assert ctx.behaviour is Behaviour.REFUSE_MEDICAL


@pytest.mark.parametrize(
    "reply",
    [Line(status=500), Line("no json"), Line(meaning(intent="nonsense")), Line(raw="{}")],
    ids=["down", "prose", "unknown intent", "malformed"],
)
def test_when_the_model_fails_code_understands_and_the_trace_tells(uncertain, reply):
    reads(uncertain, reply)

    ctx = uncertain.ask("Wat is cataract?")

    assert ctx.understanding.matches[0].thing.name == "Cataract"
    assert uncertain.trace["understand"].detail["evidence"]["model_failure"]


def test_what_a_model_understood_in_a_conversation_is_no_answer_for_others(
    uncertain, hospital_with_doses
):
    """It has read what was said before, though code writes the answer."""
    reads(uncertain, meaning(intent="doctor_lookup", rewritten="Welke artsen behandelen cataract?"))
    conversation = sessions.start(hospital_with_doses, "nl")
    services.answer(conversation, "Welke artsen behandelen cataract?")
    kept = CachedAnswer.objects.count()

    later = services.answer(conversation, ODD)

    assert (later.engine, later.behaviour) == ("embedded", Behaviour.ANSWER)
    assert (kept, CachedAnswer.objects.count()) == (1, 1)


def test_what_code_is_certain_of_skips_the_model(stack):
    stack.endpoint.play(lambda request: Line("Cataract is een troebele lens [1]."))

    stack.ask("Ik heb pijn op de borst en krijg geen lucht")

    assert stack.endpoint.requests == []
