"""A medical word with a letter wrong is read as what was meant; names and known words stay."""

from __future__ import annotations

import pytest

from chat.understanding.reading import MEDICAL
from chat.understanding.respelt import respelt
from retrieval.intents import Intent
from taxonomy.lexicon import Lexicon
from tests.chat.understanding.readers import asked

ROWS = [
    {"concept": "flu", "kind": "condition", "nl": "griep", "fr": "grippe"},
    {"concept": "migraine", "kind": "condition", "nl": "migraine"},
    {"concept": "migrants", "kind": "condition", "nl": "migranten"},
    {"concept": "desk", "kind": "practical", "nl": "onthaalbalie"},
]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("griepp", "griep"),
        ("migrane", "migraine"),
        ("mgirain", "mgirain"),
        ("griep", "griep"),
        ("grieven", "grieven"),
        ("onthaalbalje", "onthaalbalje"),
        ("griepp1", "griepp1"),
    ],
)
def test_only_an_unknown_word_a_letter_from_a_medical_one_is_read_as_that(word: str, meant: str):
    assert respelt(["een", word], Lexicon(ROWS), "nl", MEDICAL, set()) == ["een", meant]


def test_a_name_stays_as_it_is_written():
    assert respelt(["griepp"], Lexicon(ROWS), "nl", MEDICAL, {0}) == ["griepp"]


def test_another_language_has_its_own_words():
    assert respelt(["gripppe"], Lexicon(ROWS), "fr", MEDICAL, set()) == ["grippe"]
    assert respelt(["gripppe"], Lexicon(ROWS), "nl", MEDICAL, set()) == ["gripppe"]


def test_a_word_that_may_be_one_of_two_is_left_alone():
    rows = [
        {"concept": "one", "kind": "condition", "nl": "lorfitas"},
        {"concept": "two", "kind": "condition", "nl": "lorfitis"},
    ]

    assert respelt(["lorfitus"], Lexicon(rows), "nl", MEDICAL, set()) == ["lorfitus"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hoelang lig je plat van een echte griepp", "nl"),
        ("combien de temps dure une gripppe", "fr"),
        ("how long does pneumonai last", "en"),
    ],
)
def test_a_misspelt_illness_is_not_off_topic(text: str, language: str):
    meaning = asked(text, page=language)

    assert meaning.intent is not Intent.OFF_TOPIC
    assert meaning.terms
