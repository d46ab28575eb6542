"""Asking for advice about a person is told apart from asking for information."""

from __future__ import annotations

from functools import cache

import pytest

from chat.safety.advice import AdviceCues, advice_cues_of
from chat.safety.slots import EVERY, NUMBER, rule
from tests.chat.question.readers import ROWS, default_rows, snapshot
from zol.languages import LANGUAGES


@cache
def advice() -> AdviceCues:
    return snapshot().derived(advice_cues_of)


@pytest.mark.parametrize(
    ("question", "blocks"),
    [
        ("wat is volgens jullie brochure de dosis paracetamol voor kinderen?", False),
        ("wat is volgens jullie brochure de dosis paracetamol voor mijn dochter?", True),
    ],
)
def test_what_a_page_says_may_be_asked_but_not_for_one_person(
    question: str, *, blocks: bool
) -> None:
    assert advice().check(question).blocks is blocks


def test_says_why() -> None:
    assert advice().check("paracetamol voor 18 kg").evidence == ("paracetamol", "kg")


def test_every_slot_of_every_rule_is_filled_in_every_language() -> None:
    rows = default_rows(ROWS["chat.advicephrase"])
    filled = {(row["kind"], row["language"]) for row in rows if row["role"] == "slot"}
    rules = [rule("", row["text"]) for row in rows if row["role"] == "rule"]
    named = {slot for one in rules for slot in one.slots} - {NUMBER}

    in_any = {slot for slot, language in filled if language == EVERY}
    lacking = [(s, c) for s in sorted(named - in_any) for c in LANGUAGES if (s, c) not in filled]
    assert lacking == []


def test_a_word_of_a_row_may_stand_for_its_end_or_its_middle() -> None:
    rows = [
        {"kind": "taking", "language": "any", "role": "rule", "text": "{may} {med}"},
        {"kind": "may", "language": "nl", "role": "slot", "text": "mag"},
        {"kind": "med", "language": "nl", "role": "slot", "text": "*pil"},
        {"kind": "med", "language": "nl", "role": "slot", "text": "*statin*"},
    ]
    cues = AdviceCues(rows)

    assert cues.check("mag mijn plaspil").blocks
    assert cues.check("mag simvastatines").blocks
    assert not cues.check("mag mijn pillendoos").blocks


RESTARTING = [
    {"kind": "restarting", "language": "any", "role": "rule", "text": "{restart} {med}"},
    {"kind": "taking", "language": "any", "role": "rule", "text": "{med} {wine}"},
    {"kind": "restart", "language": "nl", "role": "slot", "text": "hervatten"},
    {"kind": "med", "language": "nl", "role": "slot", "text": "pillen"},
    {"kind": "wine", "language": "nl", "role": "slot", "text": "wijn"},
    {"kind": "again", "language": "nl", "role": "prepare", "text": "sport*"},
]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("pillen hervatten", True),
        ("het sporten hervatten met die pillen", False),
        ("het sporten hervatten met die pillen en wijn", True),
        ("ik ben aan het sporten en wil mijn pillen hervatten", True),
        ("met die pillen weer sporten hervatten", False),
    ],
)
def test_what_else_is_begun_again_spares_no_other_advice(text: str, *, blocks: bool):
    found = AdviceCues(RESTARTING).check(text)

    assert found.blocks is blocks
    assert not found.is_spared


def test_a_rule_of_staff_without_a_verb_is_heard_all_the_same():
    rows = [*RESTARTING, {"kind": "restarting", "language": "any", "role": "rule", "text": "{med}"}]

    assert AdviceCues(rows).check("sport met pillen").blocks
