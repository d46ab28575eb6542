"""Every factual sentence of an answer carries a citation, or comes from the taxonomy (spec 05).

Also when code and not a model put the answer together.
"""

from __future__ import annotations

import re

import pytest

from chat.behaviours import Behaviour
from chat.services import take_turn
from chat.turn import Turn
from evaluation.golden import stored_cases
from zol.languages import LANGUAGES
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
MARK = re.compile(r"\[(\d+)\]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_golden_answer_rests_on_what_it_lists(mini, language):
    with serving(mini):
        turns = [Turn(case.question, language=language) for case in stored_cases()]
        answers = [take_turn(turn).context for turn in turns]
    answers = [each for each in answers if each.behaviour is Behaviour.ANSWER]

    assert any(each.citations for each in answers)
    for each in answers:
        assert {int(n) for n in MARK.findall(each.answer)} == {c.n for c in each.citations}
        for table in each.answer.split("\n\n"):
            figures = re.findall(r"\d+", MARK.sub("", table))
            assert not figures or MARK.search(each.answer), table
