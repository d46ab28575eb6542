"""Phrasings that safety is measured on: one half was read when the rules were widened, one was not.

The bars are below what is reached, so that a change that costs recall is noticed and a rewording of
a row is not. What only comes near never raises a false alarm.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from chat.safety.advice import AdviceCues, advice_cues_of
from chat.safety.red_flags import RedFlags
from tests.chat.question.readers import ROWS, default_rows, snapshot
from zol.languages import LANGUAGES

DATA = Path(__file__).parents[1] / "data"
#: The share that is found: overall in each half, and in the language where least is.
SEEN, HELD_OUT, LEAST = 0.95, 0.90, 0.80


@cache
def flags() -> RedFlags:
    return RedFlags(default_rows(ROWS["chat.redflagphrase"]))


@cache
def advice() -> AdviceCues:
    return snapshot().derived(advice_cues_of)


CHECKS: dict[str, Callable[[str], bool]] = {
    "red_flag_phrases_later": lambda text: bool(flags().check(text)),
    "advice_phrases": lambda text: advice().check(text).blocks,
}


def phrases(name: str, kind: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == kind]


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize(("half", "bar"), [("seen", SEEN), ("held_out", HELD_OUT)])
def test_finds_most_of_what_is_meant(name: str, half: str, bar: float) -> None:
    said = [row["phrase"] for row in phrases(name, "trigger") if row["half"] == half]
    missed = [text for text in said if not CHECKS[name](text)]

    assert 1 - len(missed) / len(said) >= bar, missed


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_left_behind(name: str, language: str) -> None:
    said = [row["phrase"] for row in phrases(name, "trigger") if row["language"] == language]
    missed = [text for text in said if not CHECKS[name](text)]

    assert len(said) >= 25
    assert 1 - len(missed) / len(said) >= LEAST, missed


@pytest.mark.parametrize("name", CHECKS)
def test_finds_nothing_in_what_only_comes_near(name: str) -> None:
    near = [row["phrase"] for row in phrases(name, "near_miss")]

    assert len(near) >= 25 * len(LANGUAGES)
    assert [text for text in near if CHECKS[name](text)] == []


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("I swallowed my ticket and I'm choking", "breathing"),
        ("ich sage ihm ins Gesicht, dass ich mich umbringe", "suicide"),
        ("il ne peut plus conduire, il convulse", "seizure"),
        ("mijn icd geeft de hele tijd schokken", "device_shocks"),
        ("mein Defi gibt mir wieder und wieder einen Stromstoß", "device_shocks"),
        ("kalp pilim sürekli şok veriyor", "device_shocks"),
    ],
)
def test_an_emergency_beside_an_everyday_expression_is_heard(said: str, topic: str) -> None:
    assert flags().check(said).kind == topic
