"""Rules and what was learned, brought together: what gives way to what."""

from __future__ import annotations

import pytest

from chat.safety.red_flags import RedFlags
from chat.safety.verdict import UNLIKELY, Alarm, Danger, verdict

FLAGS = RedFlags(
    {"kind": kind, "language": "en", "role": "trigger", "text": text}
    for kind, text in (
        ("stroke", "had a stroke"),
        ("suicide", "want to die"),
        ("overdose_poison", "drank bleach"),
    )
)
STORY = "We came by train. Somebody {}. Where may we park?"


def unlikely(chance: float) -> Alarm:
    return Alarm("stroke", chance, Danger.NOW)


def test_words_of_an_emergency_give_way_in_a_story_that_hardly_tells_of_one():
    told = STORY.format("had a stroke on television")

    assert not verdict(FLAGS, unlikely(UNLIKELY - 0.01), told)
    assert verdict(FLAGS, unlikely(UNLIKELY), told).kind == "stroke"


def test_words_of_an_emergency_never_give_way_in_a_single_sentence():
    assert verdict(FLAGS, unlikely(0.001), "my father had a stroke").kind == "stroke"


@pytest.mark.parametrize(
    ("words", "kind"), [("said I want to die", "suicide"), ("drank bleach", "overdose_poison")]
)
def test_a_crisis_and_a_poisoning_are_never_taken_back(words: str, kind: str):
    assert verdict(FLAGS, unlikely(0.0), STORY.format(words)).kind == kind
