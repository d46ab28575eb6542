"""A verb that is written in two is read as one, where the lexicon knows the whole."""

from __future__ import annotations

import pytest

from chat.understanding.separated import whole_verbs
from taxonomy.lexicon import Lexicon
from taxonomy.tokens import tokens

LEXICON = Lexicon(
    [
        {"concept": "cancel", "kind": "practical", "nl": "afzeggen", "de": "absagen"},
        {"concept": "entrance", "kind": "place", "nl": "inkom"},
    ]
)


@pytest.mark.parametrize(
    ("language", "text", "whole"),
    [
        ("nl", "Hoe zeg ik mijn afspraak bij de huidarts af?", "afzeg"),
        ("nl", "Ik zegde ze af, mag dat?", "afzegde"),
        ("nl", "Wat moet ik doen om een MRI af te zeggen?", "afzeggen"),
        ("de", "Wie sage ich den Termin ab?", "absage"),
    ],
)
def test_a_verb_in_two_is_found_whole_by_the_lexicon(language: str, text: str, whole: str) -> None:
    assert whole in whole_verbs(tokens(text), text, LEXICON, language)


@pytest.mark.parametrize(
    "text",
    ["Hoe kom ik in het ziekenhuis?", "Waar is de zaal af en zeg eens?", "Af te geven", "af"],
)
def test_other_words_stay_as_they_are_written(text: str) -> None:
    words = tokens(text)

    assert whole_verbs(words, text, LEXICON, "nl") == [word.folded for word in words]


def test_every_word_keeps_its_place() -> None:
    text = "Zeg mijn afspraak af, alstublieft."

    assert whole_verbs(tokens(text), text, LEXICON, "nl") == [
        "zeg", "mijn", "afspraak", "afzeg", "alstublieft",
    ]  # fmt: skip


def test_a_language_that_writes_no_verb_in_two_is_left_alone() -> None:
    lexicon = Lexicon([{"concept": "first_visit", "kind": "practical", "it": "prima visita"}])
    text = "Posso disdire la visita il giorno prima?"

    assert "primavisita" not in whole_verbs(tokens(text), text, lexicon, "it")
