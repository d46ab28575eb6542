"""What is weighed before a question is taken for one about everyday life."""

from __future__ import annotations

from typing import Any

import pytest

from chat.question.cues import Cue, CueMatches
from chat.question.off_topic import Signs
from retrieval.intents import Intent
from retrieval.passage import Headings


def signs(vector: float = 0.0, *cues: Cue, likeness: float = 0.0, **seen: bool) -> Signs:
    flags = {"is_certain": False, "is_titled": False, "has_history": False}
    return Signs(
        said=CueMatches(cues),
        vector=vector,
        learned={Intent.OFF_TOPIC: 0.5},
        likeness=likeness,
        **(flags | seen),
    )


def test_what_the_vector_finds_likely_is_everyday() -> None:
    assert signs(1.0).is_everyday
    assert not signs(-1.0).is_everyday


def test_a_cue_tips_the_balance() -> None:
    cue = Cue("offtopic", "", "weerbericht", 3.0, 0, 1)

    assert not signs(-2.0).is_everyday
    assert signs(-2.0, cue).is_everyday


def test_an_everyday_example_that_it_is_like_speaks_for_it() -> None:
    assert not signs(-1.0).is_everyday
    assert signs(-1.0, likeness=0.3).is_everyday


@pytest.mark.parametrize("seen", [{"is_certain": True}, {"is_titled": True}, {"likeness": -0.4}])
def test_what_the_hospital_has_speaks_against_it(seen: dict[str, Any]) -> None:
    assert signs(1.0).is_everyday
    assert not signs(1.0, **seen).is_everyday


def test_a_practical_matter_speaks_against_an_order() -> None:
    order = Cue("offtopic", "order", "show", 3.0, 0, 1)
    hours = Cue("topic", "visiting", "visiting hours", 3.0, 3, 5)

    assert signs(-2.0, order).is_everyday
    assert not signs(-2.0, order, hours).is_everyday


def test_the_words_of_a_title_are_hardly_ever_everyday() -> None:
    alarm = Cue("offtopic", "", "alarm", 3.0, 0, 1)

    assert not signs(-2.0, alarm, is_titled=True).is_everyday
    assert signs(4.0, alarm, is_titled=True).is_everyday


def test_after_other_questions_more_is_asked_for() -> None:
    assert signs(1.0).is_everyday
    assert not signs(1.0, has_history=True).is_everyday


def test_a_heading_is_spoken_of_by_most_of_its_telling_words() -> None:
    headings = Headings(["Een wenskaart sturen", "Weer naar huis na uw bevalling thuis"])

    assert headings.speak_of(["wenskaart", "sturen"])
    assert not headings.speak_of(["weer"])
    assert not headings.speak_of(["wenskaart", "schrijven"])
    assert not headings.speak_of([])
