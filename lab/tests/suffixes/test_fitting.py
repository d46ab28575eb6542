"""The detector of machine-made suffixes is learned from invented attacks, and anew the same."""

from __future__ import annotations

from random import Random

import pytest

from chat.models import IntentExample
from chat.safety.attacks import SuffixDetector, weights
from lab.commands.fit_suffix_detector import texts_of
from lab.suffixes.fitting import fit
from lab.suffixes.habits import attacks, messages

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


def test_the_product_finds_attacks_that_it_did_not_learn_from_behind_a_question() -> None:
    detector, random = SuffixDetector(weights()), Random("none that it learned from")  # noqa: S311
    found = [
        bool(detector.check(f"tot hoe laat mag ik bij mijn vader op bezoek? {attack}"))
        for attack in attacks(random, 300)
    ]

    # Some of them have hardly a sign: those are not to be told from people.
    assert sum(found) >= 0.85 * len(found)
