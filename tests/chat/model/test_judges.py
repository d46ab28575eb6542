"""A guardrail and a judge look at a written answer; where they cannot, health is closed and parking open."""

import json

import pytest

from tests.chat.model.conftest import said
from tests.scripted import Line

GOOD = said("Na een ingreep krijgt uw kind pijnstilling mee.", "pijnstilling mee")
PARKING = "Waar kan ik parkeren en hoe lang is het gratis?"
FREE = said("Het eerste halfuur parkeren is gratis.", "halfuur")
BORNE_OUT = json.dumps({"is_borne_out": True, "is_medical_advice": False, "reason": ""})
ADVICE = json.dumps({"is_borne_out": True, "is_medical_advice": True, "reason": "A dose."})


@pytest.fixture
def layers(stack, settings):
    """The same endpoint plays the writer, the guardrail and the judge; by the name of the model."""
    chosen = settings.LLM
    own = {"name": "guardrail", "api_key": "", "base_url": stack.endpoint.url}
    settings.LLM = chosen | {
        "tiers": chosen["tiers"]
        | {
            "judge": {"model": "tiny-judge", "temperature": 0.0},
            "guardrail": {"model": "tiny-guardrail", "temperature": 0.0, "endpoints": [own]},
        }
    }

    play = stack.play

    def judged(*statements, guardrail="safe", judge=BORNE_OUT):
        play(*statements, text=guardrail, judge=judge)

    stack.judged = judged
    return stack


def test_an_answer_that_both_let_pass_stands(layers):
    layers.judged(GOOD)

    ctx = layers.ask()

    assert ctx.reply.engine == "model"
    asked = [request["model"] for request in layers.endpoint.requests]
    assert asked[-2:] == ["tiny-guardrail", "tiny-judge"]


@pytest.mark.parametrize(
    ("guardrail", "judge"), [("unsafe\nS6", BORNE_OUT), ("safe", ADVICE), ("nonsense", BORNE_OUT)]
)
def test_an_answer_that_one_refuses_is_replaced_by_quotations(layers, guardrail, judge):
    layers.judged(GOOD, guardrail=guardrail, judge=judge)

    ctx = layers.ask()

    assert ctx.reply.engine == "embedded"
    assert GOOD["text"] not in layers.seen.split("\n")
    assert ctx.citations


@pytest.mark.parametrize(("down", "step"), [("guardrail", "guardrails"), ("judge", "judge")])
def test_where_a_layer_is_down_health_is_closed_and_parking_open(layers, down, step):
    layers.judged(GOOD, **{down: Line(status=503)})
    assert layers.ask().reply.engine == "embedded"

    layers.judged(FREE, **{down: Line(status=503)})
    assert layers.ask(PARKING).reply.engine == "model", layers.trace["generation"].detail
    assert layers.trace["post_processing"].detail[step]["unseen"]


def test_a_layer_that_is_not_configured_is_off_and_says_so(stack):
    stack.play(GOOD)

    stack.ask()

    assert stack.trace["post_processing"].detail["judge"] == {"off": "JUDGE_MODEL is not set"}
    assert stack.trace["post_processing"].detail["guardrails"] == {
        "off": "GUARDRAIL_URL is not set"
    }
