"""Who asked for the wheelchair entrance was told how a wheelchair is reimbursed: on real pages.

The pages of a small hospital were loaded, published and ingested; questions go the whole way.
"""

from __future__ import annotations

import pytest

from chat.services import take_turn
from chat.turn import Turn
from retrieval.ranking import primary_category
from retrieval.tuning import steering_of
from taxonomy.publishing.live import live_snapshot
from tests.builders import PREPARING
from zol.tenancy import serving

ENTRANCE = "toegankelijk met een rolstoel"
REIMBURSEMENT = "kan uw ziekenfonds die terugbetalen"
QUESTION = "Langs waar kan ik met mijn rolstoel naar binnen?"


@pytest.fixture
def served(mini):
    with serving(mini):
        yield steering_of(live_snapshot())


def ranked(question=QUESTION, **flags):
    turn = Turn(question, language="nl")
    return take_turn(turn, flags={"cache": False, **flags}, stages=PREPARING).context


def place(passages, words):
    return next(n for n, passage in enumerate(passages) if words in passage.text)


def test_the_entrance_stands_above_the_reimbursement(served):
    found = ranked()

    assert found.found.steering_row == "navigation_or_practical_info"
    assert place(found.passages, ENTRANCE) < place(found.passages, REIMBURSEMENT)


def test_steering_is_what_widens_the_distance(served):
    def distance(passages):
        entrance, other = place(passages, ENTRANCE), place(passages, REIMBURSEMENT)
        return passages[entrance].weight / passages[other].weight

    bare = distance(ranked(value_framework=False).passages)

    assert distance(ranked().passages) == pytest.approx(bare * 1.30 / 0.55)


def test_the_answer_is_about_practical_matters(served):
    assert primary_category(ranked().passages) == "practical"


def test_whose_price_per_minute_is_unknown_is_told_so(served):
    turn = Turn("Wat kost parkeren per minuut?", language="nl")
    context = take_turn(turn, flags={"cache": False}).context

    assert "u vraagt een bedrag per minuut" in context.answer
    assert "per dag en per kWh" in context.answer
