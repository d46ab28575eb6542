"""A filter for sentences removed the list of gynaecologists: names that answer are kept."""

import pytest

from chat.services import take_turn
from chat.turn import Turn
from taxonomy.publishing.live import live_snapshot
from taxonomy.vocabulary import Kind
from tests.builders import told


@pytest.mark.parametrize(
    "question",
    [
        "Welke longartsen zijn er en wanneer kan ik langskomen?",
        "Quels sont les pneumologues ?",
        "alle artsen van longziekten aub",
    ],
)
def test_every_name_of_the_list_passes_the_checks(mini, question):
    words = live_snapshot().vocabulary
    doctors = words.doctors_in(words.get(Kind.DEPARTMENT, "longziekten"))
    answered = take_turn(Turn(question))

    assert all(doctor.name in answered.context.answer for doctor in doctors)
    assert "added" not in told("check", answered.trace)
