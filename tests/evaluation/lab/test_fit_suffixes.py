"""The detector of machine-made suffixes is learned from invented attacks, and anew the same."""

from __future__ import annotations

from random import Random

import pytest

from chat.models import IntentExample
from chat.safety.suffix import SuffixDetector
from evaluation.lab.suffixes.fitting import fit
from evaluation.lab.suffixes.habits import attacks, messages
from evaluation.management.commands.fit_suffix_detector import texts_of

SHARE = 0.03


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    return texts_of(IntentExample.defaults)[::20]


@pytest.fixture(scope="module")
def learned(sentences: list[str]) -> dict[str, float]:
    return fit(sentences, seed=1, share=SHARE)


def test_attacks_that_it_has_not_seen_are_told_from_what_people_send(
    sentences: list[str], learned: dict[str, float]
):
    detector, fresh = SuffixDetector(learned), Random(2)  # noqa: S311
    made = [f"{sentences[0]} {attack}" for attack in attacks(fresh, 100)]
    sent = [*messages(fresh, sentences, 200)]

    assert sum(bool(detector.check(text)) for text in made) >= 80
    assert sum(bool(detector.check(text)) for text in sent) <= 6


def test_the_same_seed_learns_the_same(sentences: list[str], learned: dict[str, float]):
    assert fit(sentences, seed=1, share=SHARE) == learned
