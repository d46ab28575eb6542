"""A decision about one's own medicine is one however it is asked: when, whether, in a statement.

“When can I restart my blood thinner”, “the leaflet says 500 mg, is it okay if I take 1000” and “I
wonder whether I would be better off without my statin” were answered. Their twins, which ask when
one may eat, drive, work or visit again, are what pages tell and must be.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from chat.safety.advice import AdviceCues
from retrieval.intents import Intent
from tests.chat.question.readers import asked

DATA = Path(__file__).parents[1] / "data" / "advice_indirect.csv"
LEAST = 120


def refused(kind: str) -> tuple[list[str], list[str]]:
    """Return the phrases of a kind, and those of them that are refused as medical advice."""
    with DATA.open(encoding="utf-8", newline="") as file:
        said = [row for row in csv.DictReader(file) if row["kind"] == kind]
    advice = Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
    blocked = [r["phrase"] for r in said if asked(r["phrase"], page=r["language"]).intent is advice]
    return [row["phrase"] for row in said], blocked


def test_a_decision_about_ones_own_medicine_is_refused_however_it_is_asked():
    said, blocked = refused("trigger")

    assert len(said) >= LEAST
    assert sorted({*said} - {*blocked}) == []


def test_when_one_may_eat_drive_or_visit_again_is_answered():
    said, blocked = refused("near_miss")

    assert len(said) >= LEAST
    assert blocked == []


ROWS = [
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
    found = AdviceCues(ROWS).check(text)

    assert found.blocks is blocks
    assert not found.is_spared


def test_a_rule_of_staff_without_a_verb_is_heard_all_the_same():
    rows = [*ROWS, {"kind": "restarting", "language": "any", "role": "rule", "text": "{med}"}]

    assert AdviceCues(rows).check("sport met pillen").blocks
