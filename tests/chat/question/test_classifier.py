"""What is learned from examples holds for questions that are none of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from chat.question.learned.classifier import INTENTS, Classifier
from chat.question.learned.examples import Example
from chat.question.learned.features import Sketch
from retrieval.intents import Intent
from tests.chat.question.readers import reader
from zol.languages import LANGUAGES

Learned = tuple[Example, Sketch]
FOLDS = 4


@cache
def learned() -> tuple[Learned, ...]:
    sketcher, examples = reader().sketcher, reader().examples.examples
    return tuple((e, sketcher.of_example(e.text, e.language)) for e in examples)


def right(fitted_on: Sequence[Learned], asked: Sequence[Learned]) -> float:
    """The share of questions whose intent is the likeliest, learned from others."""
    classifier = Classifier(
        [(example.intent, sketch.features) for example, sketch in fitted_on], labels=INTENTS
    )
    scores = [(example.intent, classifier.scores(sketch.features)) for example, sketch in asked]
    return sum(max(s, key=lambda i: s[i]) is intent for intent, s in scores) / len(asked)


def held_out(is_asked: Callable[[int, Example], bool]) -> float:
    asked = [one for at, one in enumerate(learned()) if is_asked(at, one[0])]
    return right([one for at, one in enumerate(learned()) if not is_asked(at, one[0])], asked)


@pytest.mark.parametrize("fold", range(FOLDS))
def test_examples_that_were_held_out_are_understood(fold):
    # Odd steps, so that the translations of one question do not all stay in.
    assert held_out(lambda at, _: (at // 8) % FOLDS == fold) >= 0.7


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_without_examples_is_understood_through_the_others(language):
    """Concepts of the lexicon, cues and things of the hospital cross languages."""
    assert held_out(lambda _, example: example.language == language) >= 0.6


def test_fitting_twice_gives_the_same_weights():
    examples = [(example.intent, sketch.features) for example, sketch in learned()[:400]]
    asked = learned()[401][1].features

    assert Classifier(examples, labels=INTENTS).scores(asked) == Classifier(
        examples, labels=INTENTS
    ).scores(asked)


def test_without_examples_every_intent_is_as_likely():
    scores = Classifier((), labels=INTENTS).scores({"#when": 1.0})

    assert scores == pytest.approx(dict.fromkeys(Intent, 1 / len(Intent)))


def test_what_spoke_for_an_intent_can_be_read():
    parking, doctors = Intent.NAVIGATION_OR_PRACTICAL_INFO, Intent.DOCTOR_LOOKUP
    classifier = Classifier(
        [(parking, {"#car": 1.0}), (doctors, {"#who": 1.0})] * 3, labels=INTENTS
    )

    assert classifier.reasons({"#car": 1.0, "#unheard": 1.0}, parking)[0].feature == "#car"
