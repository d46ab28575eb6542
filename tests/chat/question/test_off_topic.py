"""What is weighed before a question is taken for one about everyday life."""

from __future__ import annotations

from typing import Any

import pytest

from chat.question.off_topic import Signs
from retrieval.intents import Intent
from retrieval.passage import Headings


def signs(vector: float = 0.0, *, likeness: float = 0.0, **seen: bool) -> Signs:
    flags = dict.fromkeys(("is_practical", "is_certain", "is_titled", "has_history"), False)
    return Signs(
        vector=vector, learned={Intent.OFF_TOPIC: 0.5}, likeness=likeness, **(flags | seen)
    )


def test_what_the_vector_finds_likely_is_everyday() -> None:
    assert signs(1.0).is_everyday
    assert not signs(-3.0).is_everyday


def test_an_everyday_example_that_it_is_like_speaks_for_it() -> None:
    assert not signs(-3.0).is_everyday
    assert signs(-3.0, likeness=0.3).is_everyday


@pytest.mark.parametrize(
    "seen",
    [
        {"is_practical": True},
        {"is_certain": True, "likeness": -0.1},
        {"is_titled": True},
        {"likeness": -0.4},
    ],
)
def test_what_the_hospital_has_speaks_against_it(seen: dict[str, Any]) -> None:
    assert signs(1.0).is_everyday
    assert not signs(1.0, **seen).is_everyday


def test_the_words_of_a_title_are_hardly_ever_everyday() -> None:
    assert not signs(8.0, is_titled=True).is_everyday
    assert signs(14.0, is_titled=True).is_everyday


def test_after_other_questions_more_is_asked_for() -> None:
    assert signs(1.0).is_everyday
    assert not signs(1.0, has_history=True).is_everyday


def test_a_heading_is_spoken_of_by_most_of_its_telling_words() -> None:
    headings = Headings(["Een wenskaart sturen", "Weer naar huis na uw bevalling thuis"])

    assert headings.speak_of(["wenskaart", "sturen"])
    assert not headings.speak_of(["weer"])
    assert not headings.speak_of(["wenskaart", "schrijven"])
    assert not headings.speak_of([])
