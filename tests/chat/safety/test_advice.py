"""Asking for advice about a person is told apart from asking for information."""

from __future__ import annotations

import pytest

from chat.safety.advice import AdviceCues
from tests.chat.understanding.readers import ROWS, default_rows

PARTS = {
    "drug": "paracetamol ibuprofen eliquis parasetamol paracétamol",
    "medicine": "paracetamol ibuprofen dafalgan parasetamol paracétamol παρακεταμόλη",
    "weight": "kg kilo kiloluk κιλά", "age": "jaar years ani",
    "amount": "mg ml", "dose": "dosis dosering dose doză",
    "ask": "mag moet hoeveel can", "quantity": "hoeveel", "intake": "nemen stoppen",
}  # fmt: skip


def advice() -> AdviceCues:
    rows = [
        {"kind": "advice_part", "target": target, "language": "nl", "text": word, "weight": 1}
        for target, words in PARTS.items()
        for word in words.split()
    ]
    return AdviceCues([*default_rows(ROWS["chat.cue"]), *rows])


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Hoeveel paracetamol voor een kind van 18 kg?", id="a weight"),
        pytest.param("een kind van 18kg, ibuprofen?", id="a weight without a space"),
        pytest.param("mag mijn dochter van 11 jaar dafalgan", id="an age"),
        pytest.param("dosering voor 11 jaar", id="a dose and an age"),
        pytest.param("500 mg, 20 kilo", id="an amount and a weight"),
        pytest.param("moet ik stoppen met eliquis", id="a medicine and what to do with it"),
        pytest.param("quelle dose de paracétamol pour 15 kg", id="French"),
        pytest.param("18 kiloluk çocuğa parasetamol", id="Turkish"),
        pytest.param("παρακεταμόλη για παιδί 15 κιλά", id="Greek"),
        pytest.param("ce doză pentru 5 ani", id="Romanian"),
        pytest.param("welke dosis heb ik nodig", id="a phrase"),
        pytest.param("heb ik kanker?", id="a diagnosis"),
    ],
)
def test_blocks_advice(question: str) -> None:
    assert advice().check(question).blocks


@pytest.mark.parametrize(
    "question",
    [
        "Wat zijn de bezoekuren?",
        "Waar kan mijn kind van 3 jaar terecht met astma?",
        "Vanaf 18 jaar naar welke afdeling?",
        "Hoeveel kost parkeren?",
        "Wat is een dosis?",
        "Geeft het ziekenhuis info over paracetamol?",
        "",
    ],
)
def test_lets_information_pass(question: str) -> None:
    assert not advice().check(question).blocks


def test_says_why() -> None:
    assert advice().check("paracetamol voor 18 kg").evidence == ("paracetamol", "kg")
