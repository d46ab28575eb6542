"""A question with a practical and a medical part was taken for practical; the other half was lost."""

import pytest

from chat.services import take_turn
from chat.turn import Turn

BOTH = [
    ("nl", "Wat kost parkeren en welke artsen werken bij longziekten?"),
    ("tr", "Otopark ücreti ne kadar ve göğüs hastalıklarında hangi doktorlar çalışıyor?"),
    ("el", "Πόσο κοστίζει το πάρκινγκ και ποιοι γιατροί εργάζονται στην πνευμονολογία;"),
]
PARKING = "https://www.azm-mini.example/praktisch/bereikbaarheid"
DOCTORS = ("Lotte Van der Aa", "Zoë D'Hondt", "Sam Lauwers")


@pytest.mark.parametrize(("language", "question"), BOTH)
def test_both_parts_are_answered_with_one_list_of_sources(mini, language, question):
    answered = take_turn(Turn(question, language))

    text = answered.context.answer
    assert PARKING in [citation.url for citation in answered.context.citations]
    assert all(doctor in text for doctor in DOCTORS)
    numbers = [citation.n for citation in answered.context.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(f"[{number}]" in text for number in numbers)


@pytest.mark.parametrize("switched_on", [True, False])
def test_it_is_the_taking_apart_that_does_it(mini, switched_on):
    context = take_turn(Turn(BOTH[0][1]), flags={"decomposition": switched_on}).context

    assert bool(context.parts) is switched_on


def test_a_part_that_nothing_answers_leaves_the_other_answered(mini):
    question = "Welke artsen werken bij longziekten en wat kost een kerstboom in de winkel?"
    text = take_turn(Turn(question)).context.answer

    assert "Lotte Van der Aa" in text


def test_a_part_that_leans_on_the_other_is_understood_from_it(mini):
    answered = take_turn(
        Turn("Welke artsen behandelen astma en wat is het telefoonnummer daarvan?")
    )

    assert "011 00 11 10" in answered.context.answer


def test_a_part_that_must_be_refused_leaves_the_question_whole(mini):
    context = take_turn(Turn("Wat kost parkeren en wie wint de voetbalmatch?")).context

    assert context.parts == ()
