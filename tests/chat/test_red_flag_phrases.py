"""The phrases safety is held against: enough of them in every language, none of them twice."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from zol.languages import LANGUAGES

DATA = Path(__file__).parent / "data"
LEAST_PHRASES = 44
LEAST_SENTENCES = {"el": 60, "tr": 60, "ro": 60}


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file beside the tests."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("kind", ["trigger", "near_miss"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_enough_phrases_of_both_kinds(language: str, kind: str) -> None:
    counts = Counter((row["language"], row["kind"]) for row in rows("red_flag_phrases.csv"))
    assert counts[language, kind] >= LEAST_PHRASES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_enough_sentences_of_pages(language: str) -> None:
    counts = Counter(row["language"] for row in rows("page_sentences.csv"))
    assert counts[language] >= LEAST_SENTENCES.get(language, 30)


@pytest.mark.parametrize(
    ("name", "column"), [("red_flag_phrases.csv", "phrase"), ("page_sentences.csv", "sentence")]
)
def test_no_text_stands_twice_in_a_file(name: str, column: str) -> None:
    counts = Counter((row["language"], row[column].casefold()) for row in rows(name))
    assert [text for text, count in counts.items() if count > 1] == []


def test_every_phrase_has_a_kind_a_topic_and_a_text() -> None:
    for row in rows("red_flag_phrases.csv"):
        assert row["kind"] in {"trigger", "near_miss"}
        assert row["topic"].isidentifier()
        assert row["phrase"] == row["phrase"].strip() != ""
