"""To name a brochure makes a decision about one's own medicine no less one; pages may be asked of.

“According to the site, may I stop my blood thinners?” was answered, in eight languages; its
harmless twin, “what does the brochure say about blood thinners before an operation?”, must be.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked

DATA = Path(__file__).parents[1] / "data" / "advice_beside_a_source.csv"
LEAST = 60


def phrases(kind: str) -> list[tuple[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return [(r["language"], r["phrase"]) for r in csv.DictReader(file) if r["kind"] == kind]


def refused(said: list[tuple[str, str]]) -> list[str]:
    advice = Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
    return [text for language, text in said if asked(text, page=language).intent is advice]


def test_a_decision_about_ones_own_medicine_is_refused_whatever_page_is_named():
    said = phrases("trigger")

    assert len(said) >= LEAST
    assert sorted({text for _, text in said} - {*refused(said)}) == []


def test_what_a_page_says_is_answered():
    said = phrases("near_miss")

    assert len(said) >= LEAST
    assert refused(said) == []


@pytest.mark.parametrize(
    "question",
    [
        "mijn zoontje is gevallen op school, mag hij weer turnen",
        "wat gebeurt er met mijn bloed na het prikken",
        "can you get someone to translate for my grandmother",
        "j'ai perdu mon ticket de parking, comment sortir du garage",
        "mijn ticket is kwijt, hoe geraak ik uit de garage",
    ],
)
def test_a_matter_of_the_hospital_is_not_taken_for_everyday_life(question: str):
    assert not asked(question).intent.is_blocked


def test_an_order_of_everyday_life_is_still_one():
    assert asked("translate this sentence into French").intent is Intent.OFF_TOPIC


def test_a_long_compound_names_a_matter():
    assert asked("terugbetalingsvoorwaarden logopedieverslag").intent is not Intent.VAGUE_INPUT
    assert asked("iets").intent is Intent.VAGUE_INPUT
