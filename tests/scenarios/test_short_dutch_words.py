"""A short Dutch medical word was taken for Romanian, and the visitor got a Romanian answer."""

from __future__ import annotations

import pytest

from tests.chat.question.readers import asked


@pytest.mark.parametrize(
    "word", ["cardio", "nier", "spoed", "urologie", "palpitaties", "eczeem", "migraine", "labo"]
)
def test_a_single_dutch_word_is_answered_in_dutch(word):
    assert asked(word).language == "nl"


@pytest.mark.parametrize("page", ["nl", "ro", "tr"])
def test_a_word_that_nobody_knows_takes_the_language_of_the_page(page):
    assert asked("xyzzy", page=page).language == page


def test_a_word_of_another_language_is_answered_in_that_language():
    assert asked("parcare").language == "ro"


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("Jakie są godziny odwiedzin w szpitalu?", "pl"),
        ("¿Cuáles son los horarios de visita del hospital?", "es"),
    ],
)
def test_a_language_that_we_do_not_speak_is_recognised_and_the_page_answers(question, written):
    meaning = asked(question)

    assert (meaning.language, meaning.detected) == ("nl", written)
