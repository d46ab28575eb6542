"""A question with a practical and a medical part was taken for practical; the other half was lost."""

from __future__ import annotations

import pytest

from tests.chat.understanding.readers import asked, names


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "Wat zijn de bezoekuren en welke artsen werken bij cardiologie?"),
        ("en", "What are the visiting hours and which doctors work in cardiology?"),
        ("fr", "Quelles sont les heures de visite et quels médecins travaillent en cardiologie ?"),
    ],
)
def test_both_parts_are_kept(language, question):
    meaning = asked(question, page=language)

    assert len(meaning.parts) == 2
    assert names(meaning) == ["Cardiologie"]


def test_each_part_is_understood_by_itself():
    first, second = asked("Waar kan ik parkeren en wie is dokter Van den Berg?").parts

    assert asked(first).topic == "parking"
    assert names(asked(second)) == ["Dr. Jan Van den Berg"]


def test_two_things_of_one_question_are_one_question():
    assert asked("Werkt dokter Van den Berg bij cardiologie en orthopedie?").parts == ()
