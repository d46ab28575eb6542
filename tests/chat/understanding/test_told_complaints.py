"""A complaint that has no word in the question leads to its department all the same."""

from __future__ import annotations

import pytest

from chat.understanding.reading import read
from tests.chat.understanding.readers import reader


def matched(text: str, language: str) -> list[tuple[str, str]]:
    return [(m.thing.name, m.by) for m in read(text, language, reader()).matches]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("mijn hart slaat soms over, bij wie kan ik terecht?", "nl"),
        ("j'ai le cœur qui s'emballe le soir", "fr"),
        ("mein Herz stolpert manchmal", "de"),
        ("kalbim bazen tekliyor", "tr"),
    ],
)
def test_the_department_for_it_follows(text, language):
    assert ("Cardiologie", "department_from_condition") in matched(text, language)


def test_what_is_told_is_the_symptom_and_not_what_its_words_mean_elsewhere():
    found = read("j'entends mal depuis une semaine", "fr", reader())

    assert found.symptom == "gehoorverlies"
    assert "pijn" not in found.translated
    assert "gehoorverlies" in found.translated


def test_what_emergencies_are_learned_from_stays_as_it_was():
    found = read("mijn hart slaat soms over, bij wie kan ik terecht?", "nl", reader())

    assert all(match.text != "hart slaat soms over" for match in found.named)


def test_who_names_a_department_is_led_by_that():
    names = [name for name, _ in matched("dermatologie, mijn hart slaat soms over", "nl")]

    assert "Cardiologie" not in names
