"""A question with a practical and a medical part was taken for practical; the other half was lost."""

from __future__ import annotations

import pytest

from chat.services import take_turn
from chat.turn import Turn
from tests.chat.question.readers import asked, names


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


BOTH = [
    pytest.param("nl", "Wat kost parkeren en welke artsen werken bij longziekten?", id="nl"),
    pytest.param("en", "What does parking cost and which doctors work in pulmonology?", id="en"),
    pytest.param(
        "fr", "Combien coûte le parking et quels médecins travaillent en pneumologie ?", id="fr"
    ),
    pytest.param(
        "de", "Was kostet das Parken und welche Ärzte arbeiten in der Lungenheilkunde?", id="de"
    ),
    pytest.param(
        "tr", "Otopark ücreti ne kadar ve göğüs hastalıklarında hangi doktorlar çalışıyor?", id="tr"
    ),
    pytest.param(
        "it", "Quanto costa il parcheggio e quali medici lavorano in pneumologia?", id="it"
    ),
    pytest.param("ro", "Cât costă parcarea și ce medici lucrează la pneumologie?", id="ro"),
    pytest.param(
        "el", "Πόσο κοστίζει το πάρκινγκ και ποιοι γιατροί εργάζονται στην πνευμονολογία;", id="el"
    ),
]
PARKING = "https://www.azm-mini.example/praktisch/bereikbaarheid"
DOCTORS = ("Lotte Van der Aa", "Zoë D'Hondt", "Sam Lauwers")


@pytest.mark.parametrize(("language", "question"), BOTH)
def test_both_parts_are_answered_in_every_language(mini, language, question):
    answered = take_turn(Turn(question, language))

    text = answered.context.answer
    assert PARKING in [citation.url for citation in answered.context.citations]
    assert all(doctor in text for doctor in DOCTORS)
    numbers = [citation.n for citation in answered.context.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(f"[{number}]" in text for number in numbers)


@pytest.mark.parametrize("switched_on", [True, False])
def test_it_is_the_taking_apart_that_does_it(mini, switched_on):
    question = "Wat kost parkeren en welke artsen werken bij longziekten?"
    context = take_turn(Turn(question), flags={"decomposition": switched_on}).context

    assert bool(context.parts) is switched_on


def test_a_part_that_nothing_answers_is_said_so_and_the_other_is_answered(mini):
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
