"""The client over real HTTP, with an endpoint that fails in all known ways."""

import json
import traceback

import pytest

from tests.scripted import Line
from tests.zol.llm.conftest import models
from zol.errors import LLMUnavailable
from zol.llm.base import Limits, Message, Meter
from zol.runtime.processes import wait_until

ASKED = [Message("system", "Be brief."), Message("user", "Where is Cardiology?")]


def test_an_answer_comes_whole_or_piece_by_piece_and_is_accounted_for(endpoint, model) -> None:
    endpoint.play(["On the second floor."] * 2)
    meter = Meter()

    assert model.reply(ASKED, meter=meter) == "On the second floor."
    assert list(model.stream(ASKED, meter=meter)) == ["On ", "the ", "second ", "floor."]

    for call in meter.calls:
        assert (call.endpoint, call.model, call.failure) == ("scripted", "tiny", "")
        assert (call.tokens_in, call.tokens_out) == (5, 4)


def test_an_option_that_the_endpoint_does_not_know_is_replaced_and_remembered(
    endpoint, model
) -> None:
    old = Line("Yes.", unknown=frozenset({"max_completion_tokens", "temperature"}))
    endpoint.play(lambda request: old)

    replies = [model.reply(ASKED, limits=Limits(tokens=50)) for _ in range(2)]

    assert replies == ["Yes.", "Yes."]
    last = endpoint.requests[-1]
    assert last["max_tokens"] == 50
    assert "temperature" not in last
    assert len(endpoint.requests) == 4  # twice refused, once learned, once at once


def test_a_refusal_for_another_reason_is_final_and_what_it_says_stays_out_of_the_log(
    endpoint, model
) -> None:
    said = {"message": "No: Jan Peeters, sk-4711", "code": "content_policy_violation"}
    endpoint.play(lambda request: Line(status=400, raw=json.dumps({"error": said})))

    with pytest.raises(LLMUnavailable) as raised:
        model.reply(ASKED)

    assert len(endpoint.requests) == 1
    log = "".join(traceback.format_exception(raised.value))
    assert "BadRequestError 400" in log
    assert "Peeters" not in log
    assert "4711" not in log


def test_a_caller_who_leaves_off_ends_the_request(endpoint, model) -> None:
    endpoint.play([Line("word " * 500, pause=0.01)])
    meter = Meter()

    pieces = model.stream(ASKED, meter=meter)
    next(pieces)
    pieces.close()

    assert meter.calls[0].failure == "LeftOff"
    assert meter.calls[0].seconds < 2


def test_connections_end_with_the_endpoint_that_opened_them(endpoint) -> None:
    endpoint.play(["Yes."])
    model = models(endpoint.url)
    model.reply(ASKED)
    client = model.models[0].endpoint.client

    del model

    assert wait_until(client.is_closed, 5)
