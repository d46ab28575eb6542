"""Failures of models and endpoints, over HTTP, and what the caller gets.

Every call ends within its time limit and half a second.
"""

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic

import pytest

from tests.scripted import Line, ScriptedEndpoint, scripted_endpoint
from tests.zol.llm.conftest import models
from zol.errors import CutShort, LLMTimeout, LLMUnavailable, SchemaRefused, UnusableReply
from zol.llm.base import Limits, Message, Meter
from zol.runtime.stopping import Stop, TurnStopped

ASKED = [Message("user", "Where is Cardiology?")]
FIRST, STALL, ALL = 0.8, 0.6, 1.6
LIMITS = Limits(patience=FIRST, stall=STALL, seconds=ALL)
#: How much later than its limit a call may end; beside whatever else runs, and on a machine of its
#: own (`SOAK=1`).
LATE = 0.5 if os.environ.get("SOAK") else 1.5
SCHEMA = {"type": "object", "title": "answer"}
SAID, JSON = "On the second floor.", '{"text": "On {the} \\"second\\" floor."}'


def events(*deltas: object, finish: str = "stop", choices: bool = True) -> tuple[bytes, ...]:
    """Return a stream of such deltas; a string is content."""
    told = [{"content": each} if isinstance(each, str) else each for each in deltas]
    said = [[{"index": 0, "delta": each, "finish_reason": None}] for each in told]
    said.append([{"index": 0, "delta": {}, "finish_reason": finish}])
    frames = [{"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "tiny"}]
    lines = [f"data: {json.dumps(frames[0] | {'choices': each})}\n\n".encode() for each in said]
    return (*lines, b"data: [DONE]\n\n")


def bytes_of(*parts: bytes) -> tuple[bytes, ...]:
    return tuple(bytes([each]) for each in b"".join(parts))


COMMENTS = (b": keep-alive\n\n",) * 80
NO_DELTA = b'data: {"id": "x", "choices": [{"index": 0, "finish_reason": null}]}\n\n'
NO_CHOICES = b'data: {"id": "x", "choices": []}\n\n'
THOUGHTS = ({"reasoning_content": "hm "},) * 80


@dataclass(frozen=True)
class Row:
    """What the other side does, and what the caller gets of it."""

    line: Line
    #: The text, or the error.
    gives: str | type[Exception]
    #: Seconds after which it is over.
    within: float = ALL
    is_json: bool = False
    #: What was given before the error.
    before: str = ""


ROWS = {
    "says nothing": Row(Line(SAID, delay=3.0), LLMTimeout, FIRST),
    "stalls": Row(Line(SAID, pause=2.0), LLMTimeout, STALL, before="On "),
    "trickles for ever": Row(Line("word " * 999, pause=0.02), LLMTimeout, ALL, before="word word "),
    "is cut": Row(Line(SAID, cut_after=2), CutShort, before="On the "),
    "is reset": Row(Line(SAID, cut_after=2, pause=0.01, reset=True), CutShort, before="On "),
    "is reset before a word": Row(Line(SAID, cut_after=0, reset=True), LLMUnavailable),
    "is HTML": Row(Line(raw="<html><body>Welcome</body></html>"), LLMUnavailable),
    "is an error": Row(Line(status=500), LLMUnavailable),
    "is a refusal": Row(Line(status=401), LLMUnavailable),
    "is no object": Row(Line(raw="[]"), LLMUnavailable),
    "is busy for long": Row(Line(status=429, headers={"Retry-After": "55"}), LLMUnavailable, 0.1),
    "keeps the line open": Row(Line(parts=COMMENTS, pause=0.05), LLMTimeout, FIRST),
    "comes byte by byte": Row(Line(parts=bytes_of(*events("Yes")), pause=0.01), LLMTimeout, FIRST),
    "has no choices": Row(Line(parts=(NO_CHOICES, *events(SAID))), SAID),
    "has chunks without delta": Row(Line(parts=(NO_DELTA, *events(SAID))), SAID),
    "is fenced": Row(Line(f"```json\n{JSON}\n```"), JSON, is_json=True),
    "has prose round it": Row(Line(f"Here it is:\n{JSON}\nGood luck!"), JSON, is_json=True),
    "has two objects": Row(Line(f"{JSON}\n{JSON}"), JSON, is_json=True),
    "is no JSON": Row(Line(SAID), UnusableReply, is_json=True),
    "thinks aloud": Row(Line(f"<think>It {{may}} be… </think>\n{SAID}"), SAID),
    "thinks aloud before JSON": Row(Line(f"<think>{{a}} </think>{JSON}"), JSON, is_json=True),
    "thinks aloud without end": Row(Line("<think>It may be here"), UnusableReply),
    "only reasons": Row(Line(parts=events(*THOUGHTS)), UnusableReply),
    "reasons for long": Row(Line(parts=events(*THOUGHTS), pause=0.05), LLMTimeout, FIRST),
    "is too long": Row(Line(SAID, finish="length"), CutShort, before=SAID),
    "is filtered": Row(Line("I ca", finish="content_filter"), UnusableReply, before="I ca"),
    "refuses the schema": Row(
        Line(JSON, unknown=frozenset({"response_format"})), SchemaRefused, is_json=True
    ),
    "is in another language": Row(Line("在二楼。"), "在二楼。"),
    "is empty": Row(Line(""), UnusableReply),
    "is of 5 MB": Row(Line(parts=events("x" * 5_000_000)), UnusableReply),
    "is of 5 MB in pieces": Row(
        Line(parts=events(*["word " * 200] * 5_000)), UnusableReply, before="word "
    ),
    "has a NUL": Row(Line("On the\0 floor."), "On the floor."),
    "has a NUL in its JSON": Row(Line(r'{"a": "b\u0000c"}'), '{"a": "bc"}', is_json=True),
    "has half a character": Row(Line(parts=events("On \ud83d the")), "On  the"),
    "has half a character in its JSON": Row(
        Line(r'{"a": "\ud83dx\\ud83d\ud83d\ude00"}'), r'{"a": "x\\ud83d\ud83d\ude00"}', is_json=True
    ),
    "has a character in two chunks": Row(Line(parts=events("\ud83d", "\ude00 here")), "😀 here"),
    "has a character in two packets": Row(
        Line(parts=bytes_of('data: {"choices":[{"delta":{"content":"é"}}]}\n\n'.encode(), *events(""))),
        "é",
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", [pytest.param(row, id=f"it {name}") for name, row in ROWS.items()])
def test_each_fault_gives_its_text_or_its_error_in_time(endpoint, model, row: Row) -> None:
    endpoint.play(lambda request: row.line)
    said, failure, started = "", None, monotonic()

    try:
        for piece in model.stream(ASKED, schema=SCHEMA if row.is_json else None, limits=LIMITS):
            said += piece
    except Exception as error:  # noqa: BLE001 (which one is what is tested)
        failure = type(error)
    seconds = monotonic() - started

    if isinstance(row.gives, str):
        assert (said, failure) == (row.gives, None)
    else:
        assert failure is row.gives
        assert said.startswith(row.before) if row.before else not said
    assert seconds <= row.within + LATE


def test_a_whole_reply_is_held_to_the_clock_and_read_as_a_stream_is(endpoint, model) -> None:
    whole = json.dumps({"choices": [{"message": {"content": JSON}, "finish_reason": "stop"}]})
    endpoint.play([Line(f"```json\n{JSON}\n```"), Line(parts=bytes_of(whole.encode()), pause=0.02)])
    started = monotonic()

    assert model.reply(ASKED, schema=SCHEMA, limits=LIMITS) == JSON
    with pytest.raises(LLMTimeout):
        model.reply(ASKED, schema=SCHEMA, limits=LIMITS)

    assert monotonic() - started <= ALL + LATE


def test_busy_for_a_moment_is_waited_for_where_it_fits(endpoint, model) -> None:
    busy = Line(status=429, headers={"Retry-After": "0.3"})
    endpoint.play([busy, SAID])

    assert model.reply(ASKED, limits=LIMITS) == SAID


@pytest.fixture
def second() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint(lambda request: Line("From the second.")) as running:
        yield running


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        pytest.param(Line(status=429, headers={"Retry-After": "2"}), 0.0, id="is busy: at once"),
        pytest.param(Line(status=500), 0.0, id="fails: at once"),
        pytest.param(Line(SAID, delay=4.0), 0.2, id="is silent: after the pause"),
    ],
)
def test_the_second_endpoint_is_asked_when_the_first(endpoint, second, line, seconds) -> None:
    endpoint.play(lambda request: line)
    both, meter, started = models(endpoint.url, second.url, hedge=0.2), Meter(), monotonic()

    assert "".join(both.stream(ASKED, limits=LIMITS, meter=meter)) == "From the second."

    assert seconds <= monotonic() - started <= seconds + LATE
    assert [call.endpoint for call in meter.calls if not call.failure] == ["second"]


def test_the_first_to_speak_is_heard_to_its_end(endpoint, second) -> None:
    endpoint.play(lambda request: Line(SAID, delay=0.25, pause=0.05))
    second.play(lambda request: Line("Late.", delay=0.5))
    meter = Meter()

    said = "".join(models(endpoint.url, second.url, hedge=0.1).stream(ASKED, meter=meter))

    assert said == SAID
    assert {call.endpoint: call.failure for call in meter.calls} == {
        "scripted": "",
        "second": "Overtaken",
    }


@pytest.mark.parametrize("way", ["reply", "stream"])
@pytest.mark.parametrize("pause", [0.0, 0.4], ids=["before a word", "between words"])
def test_a_turn_that_is_stopped_ends_its_call_at_once(endpoint, model, way, pause) -> None:
    endpoint.play([Line(SAID, delay=0.0 if pause else 3.0, pause=3.0)])
    if pause and way == "reply":
        pytest.skip("a whole reply has no words between")
    stop, meter = Stop(), Meter()
    meter.stop = stop
    at: list[float] = []

    def stop_it() -> None:
        at.append(monotonic())
        stop.set()

    threading.Timer(0.4, stop_it).start()
    with pytest.raises(TurnStopped):
        list(getattr(model, way)(ASKED, meter=meter))  # type: ignore[call-overload]

    assert monotonic() - at[0] <= 0.3 + (LATE - 0.5)
    assert [call.failure for call in meter.calls] == ["LeftOff"]
    with pytest.raises(TurnStopped):
        model.reply(ASKED, meter=meter)


def test_no_call_outlives_its_turn(endpoint, model) -> None:
    endpoint.play([Line(SAID, delay=3.0)])
    started = monotonic()

    with pytest.raises(LLMTimeout):
        model.reply(ASKED, meter=Meter(seconds=0.3))

    assert monotonic() - started <= 0.3 + LATE


def test_one_who_waits_for_a_silent_endpoint_holds_nobody_else_up(endpoint, model, second) -> None:
    endpoint.play(lambda request: Line(SAID, delay=4.0))
    second.play(lambda request: Line(SAID, delay=0.1))
    other = models(second.url)

    def timed(ask: Callable[[], object]) -> float:
        started = monotonic()
        ask()
        return monotonic() - started

    def silent() -> None:
        with pytest.raises(LLMTimeout):
            model.reply(ASKED, limits=LIMITS)

    other.reply(ASKED)
    with ThreadPoolExecutor(20) as callers:
        alone = max(callers.map(lambda _: timed(lambda: other.reply(ASKED)), range(19)))
        waiting = callers.submit(silent)
        beside = max(callers.map(lambda _: timed(lambda: other.reply(ASKED)), range(19)))
        waiting.result(10)

    assert beside <= alone + 0.4


def test_of_more_calls_than_may_be_in_flight_the_rest_wait_within_their_time(endpoint) -> None:
    endpoint.play(lambda request: Line(SAID, delay=1.5))
    one = models(endpoint.url)
    one._slots = asyncio.Semaphore(1)

    def ask(_: int) -> str:
        try:
            return one.reply(ASKED, limits=Limits(seconds=2.5))
        except LLMTimeout:
            return "late"

    with ThreadPoolExecutor(2) as callers:
        assert sorted(callers.map(ask, range(2))) == [SAID, "late"]
