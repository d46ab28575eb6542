"""What is weighed before a question is taken for one about everyday life."""

from __future__ import annotations

from typing import Any

import pytest

from chat.understanding.cues import Cue, Said
from chat.understanding.everyday import Signs
from retrieval.intents import Intent
from retrieval.pages import Headings


def signs(
    likely: float = 0.5, *cues: Cue, medical: int = 0, likeness: float = 0.0, **seen: bool
) -> Signs:
    flags = {"is_certain": False, "is_titled": False, "in_title": False, "has_history": False}
    return Signs(
        said=Said(cues),
        learned={Intent.OFF_TOPIC: likely},
        likeness=likeness,
        hospital_words=0,
        medical_words=medical,
        content=("iets",),
        **(flags | seen),
    )


def test_what_the_examples_find_likely_is_everyday() -> None:
    assert signs(0.9).is_everyday
    assert not signs(0.05).is_everyday


def test_a_cue_tips_the_balance() -> None:
    cue = Cue("offtopic", "", "weerbericht", 3.0, 0, 1)

    assert not signs(0.15).is_everyday
    assert signs(0.15, cue).is_everyday


def test_an_everyday_example_that_it_is_like_speaks_for_it() -> None:
    assert not signs(0.1).is_everyday
    assert signs(0.1, likeness=0.3).is_everyday


@pytest.mark.parametrize(
    ("likely", "seen"),
    [(0.35, {"medical": 1}), (0.25, {"in_title": True}), (0.4, {"likeness": -0.4})],
)
def test_what_a_hospital_deals_with_speaks_against_it(likely: float, seen: dict[str, Any]) -> None:
    assert signs(likely).is_everyday
    assert not signs(likely, **seen).is_everyday


def test_the_words_of_a_title_are_hardly_ever_everyday() -> None:
    alarm = Cue("offtopic", "", "alarm", 3.0, 0, 1)

    assert not signs(0.8, alarm, is_titled=True).is_everyday
    assert signs(0.99, alarm, is_titled=True, likeness=0.6).is_everyday


def test_after_other_questions_more_is_asked_for() -> None:
    assert signs(0.5).is_everyday
    assert not signs(0.5, has_history=True).is_everyday


def test_a_heading_is_spoken_of_by_most_of_its_telling_words() -> None:
    headings = Headings(["Een wenskaart sturen", "Weer naar huis na uw bevalling thuis"])

    assert headings.speak_of(["wenskaart", "sturen"])
    assert not headings.speak_of(["weer"])
    assert not headings.speak_of(["wenskaart", "schrijven"])
    assert not headings.speak_of([])
