"""Everyday matters of any hospital, asked in eight languages, are neither refused nor asked back.

The questions were written before it was measured how many were understood.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from chat.question.words import read
from tests.chat.question.readers import asked, reader
from zol.languages import LANGUAGES

QUESTIONS = Path(__file__).parents[1] / "data" / "daily_matters.csv"
#: Of 120 questions.
MOST, MOST_OF_A_LANGUAGE = 2, 1


def questions() -> list[tuple[str, str]]:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        return [(row["language"], row["text"]) for row in csv.DictReader(file)]


def test_each_language_has_fifteen() -> None:
    assert Counter(language for language, _ in questions()) == dict.fromkeys(LANGUAGES, 15)


def test_hardly_any_is_refused_or_asked_back() -> None:
    blocked = [
        (language, text, asked(text, page=language).intent)
        for language, text in questions()
        if asked(text, page=language).intent.is_blocked
    ]
    of_language = Counter(language for language, _, _ in blocked)

    assert len(blocked) <= MOST, blocked
    assert max(of_language.values(), default=0) <= MOST_OF_A_LANGUAGE, blocked


@pytest.mark.parametrize(
    ("word", "language", "matters"),
    [
        ("eenpersoonskamertoeslag", "nl", 2),
        ("verzekeringstoeslag", "nl", 2),
        ("parkeerticketprijs", "nl", 2),
        ("tuinkamer", "nl", 0),
    ],
)
def test_a_word_joined_of_two_matters_of_a_hospital_counts_as_both(
    word: str, language: str, matters: int
) -> None:
    assert read(word, language, reader()).hospital_words == matters
