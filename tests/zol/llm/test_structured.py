import json
from dataclasses import dataclass

import pytest

from tests.scripted import Line
from zol.errors import LLMUnavailable, StructuredCallError
from zol.llm.base import Message, structured_call


@dataclass(frozen=True)
class Meaning:
    intent: str
    confidence: float


GOOD = json.dumps({"intent": "doctor_lookup", "confidence": 0.9})
ASKED = [Message("user", "Who is the cardiologist?")]


def test_the_model_is_held_to_the_shape(endpoint, model) -> None:
    endpoint.play([GOOD])

    assert structured_call(model, ASKED, Meaning) == Meaning("doctor_lookup", 0.9)

    wanted = endpoint.requests[0]["response_format"]["json_schema"]["schema"]
    assert set(wanted["properties"]) == {"intent", "confidence"}


def test_a_mistake_is_shown_to_the_model_and_asked_again(endpoint, model) -> None:
    endpoint.play(['{"intent": "doctor_lookup", "confidence": "high"}', GOOD])

    assert structured_call(model, ASKED, Meaning).confidence == 0.9

    *_, wrong, complaint = endpoint.requests[1]["messages"]
    assert wrong["role"] == "assistant"
    assert "confidence" in complaint["content"]


def test_a_model_that_never_gets_it_right_is_given_up_and_one_that_is_down_is_not_asked_again(
    endpoint, model
) -> None:
    endpoint.play(['{"intent": 1}', "{}", Line(status=503)])

    with pytest.raises(StructuredCallError):
        structured_call(model, ASKED, Meaning)
    assert len(endpoint.requests) == 2
    with pytest.raises(LLMUnavailable):
        structured_call(model, ASKED, Meaning)
