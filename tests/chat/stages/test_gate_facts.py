"""For an appointment the taxonomy is asked who does it, whatever pages mention the examination."""

from __future__ import annotations

import pytest

from chat.stages.look_up import names_a_place
from chat.turn import Context, Turn
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from tests.builders import meant, thing

SCAN, RADIOLOGY = thing(Kind.EXAMINATION, "Mammografie"), thing(Kind.DEPARTMENT, "Radiologie")


@pytest.mark.parametrize(
    ("intent", "routed", "joins"),
    [
        pytest.param(Intent.BOOKING_OR_CONTACT, (RADIOLOGY,), True, id="who is called for a scan"),
        pytest.param(Intent.BOOKING_OR_CONTACT, (), False, id="nobody is known to do it"),
        pytest.param(
            Intent.NAVIGATION_OR_PRACTICAL_INFO, (RADIOLOGY,), False, id="what to bring to a scan"
        ),
    ],
)
def test_an_examination_is_reached_where_it_is_done(intent, routed, joins):
    ctx = Context(Turn("?"), understanding=meant(SCAN, intent=intent), routed=routed)

    assert names_a_place(ctx) is joins


def test_a_department_that_is_named_is_reached_itself():
    understood = meant(RADIOLOGY, intent=Intent.NAVIGATION_OR_PRACTICAL_INFO)

    assert names_a_place(Context(Turn("?"), understanding=understood))
