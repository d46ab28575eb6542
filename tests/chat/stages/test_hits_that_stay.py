"""Later stages reorder the hits of the keyword search and drop none."""

import pytest

from chat.services import take_turn
from chat.turn import Turn
from tests.builders import PREPARING, SEARCHING
from zol.tenancy import serving

#: Whatever the embedding would hear, it is not asked.
BY_WORDS = {"cache": False, "dense": False}


def passages(question, stages):
    return take_turn(Turn(question, language="nl"), flags=BY_WORDS, stages=stages).context.passages


@pytest.mark.parametrize(
    "question",
    [
        "Langs waar kan ik met mijn rolstoel naar binnen?",
        "Wat kost parkeren per uur?",
        "Wanneer mag ik op bezoek komen?",
        "How do I make an appointment?",
    ],
)
def test_every_hit_of_the_keyword_lane_reaches_whoever_answers(mini, question):
    with serving(mini):
        found, end = passages(question, SEARCHING), passages(question, PREPARING)

    assert found
    assert all(each.dense_rank == 0 and each.keyword_rank > 0 for each in found)
    assert {each.chunk_id for each in found} <= {each.chunk_id for each in end}
    assert all(each.weight > 0 for each in end)
