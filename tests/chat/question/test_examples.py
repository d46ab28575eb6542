"""A question is compared with the examples that staff keep."""

import numpy as np

from chat.question.examples import Example, ExampleIndex, example_index_of, vectors_of
from retrieval.embedding import get_hearer
from retrieval.intents import Intent
from tests.chat.question.readers import snapshot

PARKING = Example(Intent.NAVIGATION_OR_PRACTICAL_INFO, "nl", "Waar kan ik parkeren?")
WEATHER = Example(Intent.OFF_TOPIC, "nl", "Gaat het regenen?")


def test_the_nearest_example_and_its_intent_come_first():
    index = ExampleIndex((WEATHER, PARKING), vectors_of([WEATHER.text, PARKING.text]))

    near = index.nearest(get_hearer().heard("Where can I park my car?"))

    assert near.examples[0][0] == PARKING
    assert near.likeness[PARKING.intent] > near.likeness[WEATHER.intent]


def test_default_examples_need_no_encoder():
    index = snapshot().derived(example_index_of)
    vector = get_hearer().heard("wie is de cardioloog")

    assert index.nearest(vector).likeness.keys() == {*Intent}
    assert np.isclose(np.linalg.norm(vectors_of([PARKING.text])[0]), 1, atol=0.02)


def test_without_examples_nothing_is_alike():
    assert ExampleIndex((), np.zeros((0, 384))).nearest(np.zeros(384)).examples == ()
