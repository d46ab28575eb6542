"""Marks of redacted data are removed from a question, with the words that introduce them."""

import pytest

from chat.question.content_words import without_marks


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("mijn zoon [naam] heeft epilepsie, bij welke dokter moeten we zijn?",
         "mijn zoon heeft epilepsie, bij welke dokter moeten we zijn?"),
        ("mijn man [naam] ademt niet meer, wat nu", "mijn man ademt niet meer, wat nu"),
        ("mijn rijksregisternummer is [rijksregisternummer]. Wat kost een kamer alleen?",
         "Wat kost een kamer alleen?"),
        ("Ik ben [naam]", "Ik ben  "),
        ("Waar is de ingang?", "Waar is de ingang?"),
    ],
)  # fmt: skip
def test_only_words_that_introduce_a_mark_are_removed_with_it(question, asked):
    assert without_marks(question) == asked
