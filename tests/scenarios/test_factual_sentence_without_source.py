"""Every factual sentence of an answer carries a citation, or comes from the taxonomy (spec 05).

Also when code and not a model put the answer together.
"""

from __future__ import annotations

import re

import pytest

from chat.behaviours import Behaviour
from chat.checking.evidence import Evidence, known_of
from chat.checking.faults import figures_stand_in_a_source
from chat.checking.knowledge import knowledge_of
from chat.checking.statements import Statement, kept
from chat.services import take_turn
from chat.turn import Turn
from evaluation.cases import stored_cases
from taxonomy.live import live_snapshot
from zol.languages import LANGUAGES
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
QUOTED = re.compile(r"^>", re.MULTILINE)


def unsourced(context):
    """Return the sentences of an answer that rest on neither a listed source nor the taxonomy."""
    listed = {citation.n for citation in context.citations}
    known = live_snapshot().derived(knowledge_of)
    evidence = Evidence(facts=known_of(context), own=known.own, figures=known.figures)

    def rests(sentence):
        said = Statement(sentence, language="")
        if said.marks:
            return listed.issuperset(said.marks)
        return not sentence.startswith(">") and not figures_stand_in_a_source(said, evidence, known)

    return kept(context.answer, rests)[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_golden_answer_rests_on_what_it_lists(mini, language):
    with serving(mini):
        asked = [Turn(case.question, language=language) for case in stored_cases()]
        # What is refused is answered by a fixed text alone.
        answers = [
            each
            for each in (take_turn(turn).context for turn in asked)
            if each.behaviour is Behaviour.ANSWER
        ]

        assert any(QUOTED.search(each.answer) for each in answers)
        assert [unsourced(each) for each in answers] == [()] * len(answers)
