"""A question that asks two things is split; one that only has two words for one thing is not."""

from __future__ import annotations

import pytest

from tests.chat.understanding.readers import asked


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        pytest.param(
            "Wat zijn de bezoekuren en bij wie kan ik terecht voor suikerziekte?",
            ("Wat zijn de bezoekuren", "bij wie kan ik terecht voor suikerziekte?"),
            id="joined by and",
        ),
        pytest.param(
            "Wat zijn de bezoekuren? Waar kan ik parkeren?",
            ("Wat zijn de bezoekuren", "Waar kan ik parkeren?"),
            id="two sentences",
        ),
    ],
)
def test_splits_plain_conjunctions(question: str, parts: tuple[str, ...]) -> None:
    assert asked(question).parts == parts


@pytest.mark.parametrize(
    "question",
    [
        "Waar kan ik parkeren?",
        "Ik heb pijn. Al een week lang.",
        "Hallo. Waar kan ik parkeren?",
        "keel en oren",
    ],
)
def test_leaves_one_question_whole(question: str) -> None:
    assert asked(question).parts == ()
