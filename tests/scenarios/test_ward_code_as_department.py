"""A ward's code ("B3-afdeling") was shown where the department should have stood."""

import pytest

from chat.services import take_turn
from chat.turn import Turn
from taxonomy.publishing.live import live_snapshot
from taxonomy.vocabulary import Kind

CODE = "B3-afdeling"


@pytest.mark.parametrize(
    "question",
    [
        "Bij welke afdeling kan ik terecht met een longontsteking?",
        "Wie behandelt longontsteking?",
        "Where do I go with pneumonia?",
        "Hoe maak ik een afspraak voor een longontsteking?",
    ],
)
def test_a_department_is_shown_and_never_the_code_of_its_ward(mini, question):
    things = live_snapshot().vocabulary
    pneumonia = things.get(Kind.CONDITION, "longontsteking")
    assert CODE in {each.name for each in things.departments_of(pneumonia)}

    answered = take_turn(Turn(question)).context

    assert CODE not in answered.answer
    assert "Longziekten" in answered.answer
    assert CODE not in "".join(answered.reply.follow_ups)


def test_who_asks_for_the_ward_learns_which_department_it_belongs_to(mini):
    answer = take_turn(Turn("Wat is de B3-afdeling?")).context.answer

    assert "B3-afdeling hoort bij Longziekten." in answer
