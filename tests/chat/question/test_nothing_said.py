"""Who says nothing but words that join others is asked what they mean, not told it is off topic."""

from __future__ import annotations

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "t is weer van dat"),
        ("en", "so it is that"),
        ("fr", "c'est que ça encore"),
        ("de", "schon wieder das"),
        ("tr", "yine bu mu"),
        ("it", "ancora quello"),
        ("ro", "iar asta"),
        ("el", "πάλι τα ίδια"),
    ],
)
def test_a_fragment_is_not_off_topic(language: str, text: str):
    assert asked(text, page=language).intent in {Intent.VAGUE_INPUT, Intent.UNKNOWN}


@pytest.mark.parametrize(
    ("language", "text"),
    [("nl", "t is weer van dat"), ("de", "schon wieder das"), ("el", "πάλι τα ίδια")],
)
def test_what_was_taken_for_everyday_talk_is_asked_back(language: str, text: str):
    assert asked(text, page=language).intent is Intent.VAGUE_INPUT


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "wat is het weer morgen"),
        ("fr", "quel temps fait-il"),
        ("de", "wie wird das Wetter"),
        ("it", "che ore sono"),
        ("en", "tell me a joke"),
    ],
)
def test_a_few_words_that_name_an_everyday_matter_stay_off_topic(language: str, text: str):
    assert asked(text, page=language).intent is Intent.OFF_TOPIC
