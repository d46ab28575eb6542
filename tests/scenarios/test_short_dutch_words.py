"""A short Dutch medical word was taken for Romanian, and the visitor got a Romanian answer."""

import pytest

from tests.chat.question.readers import asked


@pytest.mark.parametrize(
    "word", ["cardio", "nier", "spoed", "urologie", "palpitaties", "eczeem", "migraine", "labo"]
)
def test_a_single_dutch_word_is_answered_in_dutch(word):
    assert asked(word).language == "nl"
