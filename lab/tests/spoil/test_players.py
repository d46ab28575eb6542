"""What is spoiled is known, spoiled alike by the same seed, and judged as the judge is meant to."""

from __future__ import annotations

import json

import pytest

from lab.recorded.endpoint import Reply
from lab.recorded.library import Library
from lab.recorded.requests import Request, plain
from lab.recorded.turns import ExamTurn, recorded
from lab.spoil.figures import Taken, Tally, is_cut
from lab.spoil.forms import CLASSIFY, FORMS
from lab.spoil.players import (
    INTENTS,
    Copyist,
    Judge,
    Played,
    Replies,
    Served,
    Spoil,
    WeakPlayer,
    dice_of,
)
from lab.spoil.product import Seen
from lab.spoil.spoilers import CODE, MEANING, Statement, gravity

VERDICT = {
    "type": "object",
    "properties": {"verdicts": {"type": "array", "items": {"$ref": "#/$defs/Verdict"}}},
    "$defs": {
        "Verdict": {
            "type": "object",
            "properties": {
                "n": {"type": "integer"},
                "support": {"enum": ["supported", "contradicted", "not_stated"]},
                "condition_dropped": {"type": "boolean"},
            },
        }
    },
}


@pytest.fixture(scope="module")
def library() -> Library:
    conversations, calls = recorded(["first"])
    return Library([turn for each in conversations for turn in each], calls)


def asked(library: Library, turn, name: str = "answer") -> Request:
    """Return a request with the lines of the recorded reply, numbered in another way."""
    lines = list((library.call("answer", turn)).lines.values())
    told = "\n".join(f"[5.{at}] {line}" for at, line in enumerate(lines, 1))
    said = "\n".join([*turn.conversation, f"[5] Page\n{told}\n\nQuestion: {turn.question}"])
    wanted = {"type": "json_schema", "json_schema": {"name": name, "schema": VERDICT}}
    return Request({"messages": [{"role": "user", "content": said}], "response_format": wanted})


def verdict(player: Replies, text: str) -> Reply:
    wanted = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": VERDICT}}
    said = f"Statement 1: {text}\nIts lines:\n- x"
    return player(Request({"messages": [{"role": "user", "content": said}],
                           "response_format": wanted}))  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "language", "text", "spoiled"),
    [
        ("negation", "nl", "U mag niet rijden.", "U mag rijden."),
        ("negation", "fr", "Vous ne pouvez pas conduire.", "Vous pouvez conduire."),
        ("at most ↔ at least", "de", "Höchstens 2 Besucher.", "Mindestens 2 Besucher."),
        ("before ↔ after", "tr", "3 gün önce arayın.", "3 gün sonra arayın."),
        ("condition dropped", "nl", "Neem ze in, tenzij de arts iets anders zegt.", "Neem ze in."),
        ("unit", "en", "It takes 20 minutes.", "It takes 20 hours."),
        ("campus swapped", "nl", "Dat kan in Genk.", "Dat kan in Maaseik."),
    ],
)
def test_a_kind_makes_one_thing_wrong(kind, language, text, spoiled):
    known = {"2.1": "x"}
    statement = Statement(text, ("2.1",), "sentence", language, known, dice_of(1))

    assert {**CODE, **MEANING}[kind](statement).text == spoiled


@pytest.mark.parametrize("kind", sorted({**CODE, **MEANING}))
def test_what_is_spoiled_is_never_what_was_right(kind, library):
    spoiled = 0
    for turn in library.turns:
        call = library.call("answer", turn)
        for each in json.loads(call.reply)["statements"]:
            said = Statement(
                each["text"], tuple(each["lines"]), "sentence", turn.language, call.lines,
                dice_of(3), rules="You answer patients of one hospital out of its own pages.",
            )  # fmt: skip
            if (after := {**CODE, **MEANING}[kind](said)) is None:
                continue
            spoiled += 1
            assert after.tell or plain(after.text) != plain(said.text) or after.lines != said.lines
    assert spoiled or kind in {"am/pm", "dose of another row", "order", "another ward's line"}


@pytest.mark.parametrize("spoil", [Spoil.CODE, Spoil.MEANING])
def test_the_same_seed_spoils_alike_and_another_pass_otherwise(spoil, library):
    def played(at: int) -> list[str]:
        player = Replies(library, spoil=spoil)
        player.begin(at)
        return [player(asked(library, turn)).text for turn in library.turns]

    assert played(0) == played(0)
    assert played(0) != played(1)


@pytest.mark.parametrize(
    ("judge", "right", "wrong"),
    [(Judge.PERFECT, {True}, {False}), (Judge.WEAK, {True, False}, {True, False})],
)
def test_the_judge_knows_what_was_spoiled(judge, right, wrong, library):
    player = Replies(library, spoil=Spoil.MEANING, judge=judge)
    told = {True: set(), False: set()}
    for at in range(4):
        player.begin(at)
        for turn in library.turns:
            player(asked(library, turn))
            for served in player.turns[turn.id].statements:
                reply = json.loads(verdict(player, served.statement.text).text)
                assert reply["verdicts"][0]["n"] == 1
                is_held = reply["verdicts"][0]["support"] == "supported"
                told[served.is_wrong].add(is_held)

    assert told == {False: right, True: wrong}


def test_a_silent_judge_says_nothing(library):
    assert verdict(Replies(library, judge=Judge.SILENT), "Iets.").is_silent


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_form_spoils_a_reply_and_not_what_it_says(form, library):
    text = library.call("answer", library.turns[0]).reply

    reply = FORMS[form](text, dice_of(1))

    assert reply != Reply(text)


@pytest.mark.parametrize("kind", sorted(CLASSIFY))
def test_a_classification_is_spoiled_within_its_form(kind, library):
    value = json.loads(library.call("classify", library.turns[0]).reply)

    spoiled = CLASSIFY[kind]({**value, "urgency": "soon"}, dice_of(1), INTENTS)

    assert spoiled.keys() == value.keys()
    assert spoiled != {**value, "urgency": "soon"}


def test_a_copyist_says_only_lines(library):
    player = Copyist(library)
    for turn in library.turns:
        request = asked(library, turn)
        for each in json.loads(player(request).text)["statements"]:
            assert each["text"] == request.lines[each["lines"][0]][:400]


def test_a_weak_player_fences_and_is_off_by_one_every_fifth_time(library):
    player = WeakPlayer(library)
    strong = Replies(library)
    wrong = 0
    for turn in library.turns:
        request = asked(library, turn)
        text = player(request).text
        assert text.startswith("```json\n")
        weak = json.loads(text.removeprefix("```json\n").removesuffix("\n```"))
        right = json.loads(strong(request).text)
        wrong += weak["statements"] != right["statements"]

    assert wrong > len(library.turns) / 4


def test_what_was_shown_is_counted(library):
    turn = library.turns[0]
    player = Replies(library, spoil=Spoil.CODE)
    player(asked(library, turn))
    played = player.turns[turn.id]
    right = next(each.statement.text for each in played.statements if not each.is_wrong)
    wrong = next(each for each in played.statements if each.is_wrong)
    tally = Tally("code", [Taken(turn, played, Seen({"text": f"**{right}** [1]"}, ("answer",)))])

    changed = [each.statement.text for each, _ in tally.changed()]
    assert right not in changed
    assert len(changed) == len(played.statements) - 2
    assert not tally.wrong_shown()
    text = f"{right} [1] {wrong.statement.text} [2]"
    tally = Tally("code", [Taken(turn, played, Seen({"text": text}, ("answer",)))])
    assert [each for each, _ in tally.wrong_shown()] == [wrong]


def test_harm_is_told_apart():
    assert gravity("digit", "Bel 089 00 53 55.", "Bel 089 00 53 54.") == "contact"
    assert gravity("digit", "vanaf 6 jaar", "vanaf 8 jaar") == "age"
    assert gravity("digit", "Bel 112.", "Bel 113.") == "emergency"
    assert gravity("digit", "na 3 dagen", "na 8 dagen") == "other"


@pytest.mark.parametrize(
    ("text", "is_begun"),
    [
        ("Kom met hoogstens twee bezoekers tegelijk op de kamer. [1]", False),
        ("Kom met hoogstens twee bezoekers [1] Iets anders.", True),
        ("> Kom met hoogstens twee bezoekers naar de afdeling.", False),
        ("Iets anders.", False),
    ],
)
def test_a_statement_that_breaks_off_is_cut(text, is_begun):
    said = "Kom met hoogstens twee bezoekers tegelijk op de kamer."
    served = Served(Statement(said, ("2.1",), "sentence", "nl", {}, dice_of()))
    turn = ExamTurn("a", "zol-demo", "nl", "Met hoeveel?")

    assert is_cut(served, Taken(turn, Played((served,)), Seen({"text": text}))) is is_begun
