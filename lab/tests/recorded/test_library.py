"""A recorded reply is found by question and conversation, whatever the prompt looks like."""

from __future__ import annotations

import json
import urllib.request

import pytest

from lab.floors.hospitals import PACKS
from lab.recorded.endpoint import Reply, emptiest, endpoint
from lab.recorded.library import Library, spelled_out
from lab.recorded.requests import Request
from lab.recorded.turns import ExamTurn, RecordedCall, recorded

LINES = {
    "2.1": "Duur: Daarna; Tarief: € 1,80 per begonnen uur",
    "2.2": "Betalen doet u aan de automaat in de inkomhal.",
    "2.3": "Potplanten laat u overal thuis.",
}
REPLY = {
    "status": "complete",
    "statements": [
        {"lines": ["2.1"], "form": "sentence", "text": "U betaalt € 1,80 per begonnen uur."},
        {"lines": ["2.2"], "form": "sentence", "text": "U betaalt aan de automaat."},
        {"lines": ["2.3"], "form": "sentence", "text": "Laat potplanten thuis."},
    ],
    "missing": [],
}
FIRST = ExamTurn("a.1", "zol-demo", "nl", "Wat kost parkeren?")
LATER = ExamTurn("a.2", "zol-demo", "nl", "en in Lanaken?", ("Wat kost parkeren?",))


def test_every_recorded_turn_is_asked_of_a_hospital_of_the_laboratory() -> None:
    turns = [turn for conversation in recorded()[0] for turn in conversation]

    assert {turn.hospital for turn in turns} == PACKS.keys()


def request(said: str, name: str = "answer") -> Request:
    wanted = {"type": "json_schema", "json_schema": {"name": name, "schema": {}}}
    messages = [{"role": "system", "content": "Rules."}, {"role": "user", "content": said}]
    return Request({"model": "m", "messages": messages, "response_format": wanted})


def library() -> Library:
    reply = json.dumps(REPLY)
    calls = [RecordedCall("answer", FIRST.question, (), reply, LINES)]
    return Library([FIRST, LATER], calls)


PROMPT = """[1] Published
[1.1] Vandaag is het zondag.
[2] Parkeren
# Tarieven
[2.7] Duur: Daarna; Tarief: € 1,80 per begonnen uur
[3] Betalen
[3.1] Neem een ticket. Betalen doet u aan de automaat in de inkomhal.

Question: Wat kost “parkeren”?"""


def test_lines_are_carried_over_by_their_text():
    found = library()

    reply = json.loads(found.reply(request(PROMPT), FIRST) or "")

    assert [each["lines"] for each in reply["statements"]] == [["2.7"], ["3.1"]]
    assert found.account.counts["lines carried over"] == 2
    assert found.account.lost == {"a.1: Potplanten laat u overal thuis."}


def test_a_range_of_lines_is_spelled_out():
    assert [*spelled_out(["1.2", "2.4-2.6", "3.1–3"])] == [
        "1.2", "2.4", "2.5", "2.6", "3.1", "3.2", "3.3",
    ]  # fmt: skip


def test_a_question_is_known_although_something_personal_in_it_is_covered():
    turn = ExamTurn("b", "zol-demo", "nl", "Tot hoe laat mag ik bij mijn moeder Jeanne Peeters?")

    found = Library([FIRST, turn], ()).turn_of(
        request("Question: Tot hoe laat mag ik bij mijn moeder ***?")
    )

    assert found == turn


def test_a_third_of_the_lines_lost_is_told_not_to_count():
    found = library()
    found.reply(request(PROMPT), FIRST)

    assert any("do not count" in line for line in found.account.lines())


@pytest.mark.parametrize(
    ("said", "turn"),
    [
        (PROMPT, FIRST),
        ("Conversation:\nWat kost parkeren?\nIets.\n\nQuestion: en in Lanaken?", LATER),
        ("Question: en in Lanaken?", None),
        ("Question: Wie is er?", None),
    ],
)
def test_a_turn_is_known_by_question_and_conversation(said, turn):
    assert library().turn_of(request(said)) == turn


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_comes_over_http_as_a_whole_and_in_pieces(stream):
    body = {**request("Hello").body, "stream": stream}
    with endpoint(lambda _: Reply("Goedemorgen, waarmee kan ik helpen?")) as url:
        at = f"{url}/chat/completions"
        with urllib.request.urlopen(at, json.dumps(body).encode()) as response:  # noqa: S310
            told = response.read().decode()

    if not stream:
        assert json.loads(told)["choices"][0]["message"]["content"].startswith("Goedemorgen")
        return
    *events, end = [each.removeprefix("data: ") for each in told.strip().split("\n\n")]
    choices = [choice for each in map(json.loads, events) for choice in each["choices"]]
    said = "".join(each["delta"].get("content", "") for each in choices)
    assert said == "Goedemorgen, waarmee kan ik helpen?"
    assert choices[-1]["finish_reason"] == "stop"
    assert end == "[DONE]"


def test_an_unknown_purpose_gets_the_smallest_reply_that_fits():
    schema = {
        "type": "object",
        "properties": {
            "ids": {"type": "array", "items": {"type": "string"}},
            "kind": {"$ref": "#/$defs/Kind"},
            "until": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "$defs": {"Kind": {"enum": ["none", "some"]}},
    }

    assert emptiest(schema) == {"ids": [], "kind": "none", "until": None}


def test_turns_of_the_sets_have_their_replies_and_every_reply_its_lines():
    conversations, calls = recorded()
    found = Library([turn for each in conversations for turn in each], calls)
    answers = {turn.id: found.call("answer", turn) for turn in found.turns}

    # Of a turn that was refused, or stopped, no answer was asked.
    without = [each for each, answer in answers.items() if answer is None]
    assert len(without) <= len(answers) // 20, without
    for name, answer in answers.items():
        stated = json.loads(answer.reply)["statements"] if answer else []
        named = {line for each in stated for line in spelled_out(each["lines"])}
        assert named <= (answer.lines.keys() if answer else set()), name
