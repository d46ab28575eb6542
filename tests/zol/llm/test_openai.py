"""The adapter, over real HTTP, against an endpoint that misbehaves in every way we know of."""

from __future__ import annotations

import pytest

from tests.scripted import Line, ScriptedEndpoint, scripted_endpoint
from zol.errors import LLMTimeout, LLMUnavailable, UnusableReply
from zol.llm.base import Limits, Message, Meter
from zol.llm.openai import OpenAIModel

ASKED = [Message("system", "Be brief."), Message("user", "Where is Cardiology?")]


def test_a_whole_answer_is_returned_and_accounted_for(endpoint: ScriptedEndpoint, model) -> None:
    endpoint.play(["On the second floor."])
    meter = Meter()

    reply = model.reply(ASKED, meter=meter)

    assert reply.text == "On the second floor."
    (call,) = meter.calls
    assert (call.endpoint, call.model, call.failure) == ("scripted", "tiny", "")
    assert (call.tokens_in, call.tokens_out) == (5, 4)


def test_a_streamed_answer_arrives_piece_by_piece_with_its_account(endpoint, model) -> None:
    endpoint.play(["On the second floor."])
    meter = Meter()

    pieces = list(model.stream(ASKED, meter=meter))

    assert pieces == ["On ", "the ", "second ", "floor."]
    assert meter.calls[0].tokens_out == 4


def test_messages_and_limits_are_sent_as_given(endpoint, model) -> None:
    endpoint.play(["Yes."])

    model.reply(ASKED, limits=Limits(tokens=1_000))

    (request,) = endpoint.requests
    assert request["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where is Cardiology?"},
    ]
    assert request["max_completion_tokens"] == 1_000
    assert request["temperature"] == 0.0


def test_an_option_that_the_endpoint_does_not_know_is_replaced_and_remembered(
    endpoint, model
) -> None:
    old = Line("Yes.", unknown=frozenset({"max_completion_tokens", "temperature"}))
    endpoint.play(lambda request: old)

    replies = [model.reply(ASKED, limits=Limits(tokens=50)).text for _ in range(2)]

    assert replies == ["Yes.", "Yes."]
    last = endpoint.requests[-1]
    assert last["max_tokens"] == 50
    assert "temperature" not in last
    assert len(endpoint.requests) == 4  # twice refused, once learned, once at once


def test_an_endpoint_that_cannot_be_held_to_a_schema_is_asked_without_one(endpoint, model) -> None:
    endpoint.play(lambda request: Line("{}", unknown=frozenset({"response_format"})))

    assert model.reply(ASKED, schema={"type": "object"}).text == "{}"


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_an_error_of_the_endpoint_is_said_to_be_unavailable(endpoint, model, status: int) -> None:
    endpoint.play([Line(status=status), Line(status=status)])

    with pytest.raises(LLMUnavailable):
        model.reply(ASKED)
    with pytest.raises(LLMUnavailable):
        list(model.stream(ASKED))


def test_a_refused_request_with_another_reason_is_not_asked_again(endpoint, model) -> None:
    endpoint.play(lambda request: Line(status=400, raw='{"error": {"message": "too long"}}'))

    with pytest.raises(LLMUnavailable, match="too long"):
        model.reply(ASKED)
    assert len(endpoint.requests) == 1


def test_a_passing_error_is_tried_again_once() -> None:
    with scripted_endpoint([Line(status=500), "Second time lucky."]) as endpoint:
        model = OpenAIModel("tiny", endpoint="scripted", api_key="", base_url=endpoint.url)
        assert model.reply(ASKED).text == "Second time lucky."


def test_a_slow_endpoint_times_out(endpoint, model) -> None:
    endpoint.play(lambda request: Line("Late.", delay=0.6))

    with pytest.raises(LLMTimeout):
        model.reply(ASKED, limits=Limits(patience=0.1))
    with pytest.raises(LLMTimeout):
        list(model.stream(ASKED, limits=Limits(patience=0.1)))


def test_a_stream_that_trickles_on_forever_times_out_as_a_whole(endpoint, model) -> None:
    endpoint.play([Line("word " * 200, pause=0.02)])

    with pytest.raises(LLMTimeout):
        list(model.stream(ASKED, limits=Limits(seconds=0.2)))


def test_a_stream_cut_in_the_middle_is_not_taken_for_an_answer(endpoint, model) -> None:
    endpoint.play([Line("On the second floor.", cut_after=2)])
    meter, pieces = Meter(), []

    with pytest.raises(LLMUnavailable):
        pieces.extend(model.stream(ASKED, meter=meter))

    assert meter.calls[0].failure == "LLMUnavailable"


@pytest.mark.parametrize(
    "raw", ["", "not json", "[]", "{}", '{"choices": []}', '{"choices": [{}]}', '{"choices": null}']
)
def test_a_malformed_answer_is_unusable(endpoint, model, raw: str) -> None:
    endpoint.play([Line(raw=raw or " ")])

    with pytest.raises((UnusableReply, LLMUnavailable)):
        model.reply(ASKED)


def test_a_refusing_model_is_unusable(endpoint, model) -> None:
    endpoint.play([Line("I ca", finish="content_filter")] * 2)

    with pytest.raises(UnusableReply):
        model.reply(ASKED)
    with pytest.raises(UnusableReply):
        list(model.stream(ASKED))


def test_an_empty_answer_is_unusable(endpoint, model) -> None:
    endpoint.play([""])

    with pytest.raises(UnusableReply):
        model.reply(ASKED)


def test_a_caller_who_leaves_off_ends_the_request(endpoint, model) -> None:
    endpoint.play([Line("word " * 500, pause=0.01)])
    meter = Meter()

    pieces = model.stream(ASKED, meter=meter)
    next(pieces)
    pieces.close()

    assert meter.calls[0].failure == "GeneratorExit"
    assert meter.calls[0].seconds < 2


def test_nobody_at_the_address_is_said_to_be_unavailable() -> None:
    model = OpenAIModel(
        "tiny", endpoint="gone", api_key="", base_url="http://127.0.0.1:9/v1", max_retries=0
    )

    with pytest.raises(LLMUnavailable):
        model.reply(ASKED)


def test_connections_end_with_the_model_that_opened_them(endpoint) -> None:
    endpoint.play(["Yes."])
    model = OpenAIModel("tiny", endpoint="scripted", api_key="", base_url=endpoint.url)
    model.reply(ASKED)
    client = model._client

    del model

    assert client.is_closed()
