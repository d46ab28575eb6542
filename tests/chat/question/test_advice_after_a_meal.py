"""A meal, sport or a drive that a medicine is begun again after or before makes it no less advice.

Who asks when to eat, to work or to do sport again after an operation is answered. The phrases were
written before any row was, and are kept as they were: at first sight 9 of 24 decisions were
refused, and 2 of 24 harmless twins.
"""

from __future__ import annotations

import csv
from pathlib import Path

from retrieval.intents import Intent
from tests.chat.question.readers import asked

DATA = Path(__file__).parents[1] / "data" / "advice_after_a_meal.csv"
#: Who says "while I take blood thinners" beside sport is still refused in two languages.
STILL_REFUSED = 2


def refused(kind: str) -> tuple[list[str], list[str]]:
    """Return the phrases of a kind, and those of them that are refused as medical advice."""
    with DATA.open(encoding="utf-8", newline="") as file:
        said = [row for row in csv.DictReader(file) if row["kind"] == kind]
    advice = Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
    blocked = [r["phrase"] for r in said if asked(r["phrase"], page=r["language"]).intent is advice]
    return [row["phrase"] for row in said], blocked


def test_a_medicine_begun_again_after_a_meal_or_before_a_drive_is_refused():
    said, blocked = refused("trigger")

    assert len(said) == 24
    assert blocked == said


def test_when_to_eat_work_or_do_sport_again_is_answered():
    _, blocked = refused("near_miss")

    assert len(blocked) <= STILL_REFUSED, blocked
