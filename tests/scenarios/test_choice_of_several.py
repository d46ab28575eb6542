"""Who is asked which of two namesakes is meant can answer.

"Which one do you mean?" was asked of two doctors called Claeys, and "the one for children" was
asked the same again, as were first names, days, and "the second one".
"""

import pytest

from chat.services import take_turn
from chat.turn import Exchange, Turn

ASKED = {
    "nl": "wanneer is dokter Van der Aa er?",
    "en": "when does doctor Van der Aa see patients?",
    "it": "quando riceve il dottor Van der Aa?",
}


def told(question: str, language: str) -> str:
    first = take_turn(Turn(ASKED[language], language)).context
    assert "Lotte" in first.answer
    assert "Luc" in first.answer
    history = (Exchange(ASKED[language], first.answer),)
    return take_turn(Turn(question, language, history=history)).context.answer


@pytest.mark.parametrize(
    ("language", "question", "name", "other"),
    [
        ("nl", "de oogarts", "Luc", "Lotte"),
        ("nl", "de tweede", "Luc", "Lotte"),
        ("nl", "die van maandag", "Lotte", "Luc"),
        ("en", "the eye doctor please", "Luc", "Lotte"),
        ("it", "la seconda", "Luc", "Lotte"),
    ],
)
def test_the_one_that_is_chosen_is_told_about(
    mini, language: str, question: str, name: str, other: str
):
    answer = told(question, language)

    assert name in answer
    assert other not in answer


def test_what_fits_both_is_asked_again(mini):
    answer = told("die van dinsdag of maandag", "nl")

    assert "Lotte" in answer
    assert "Luc" in answer


def test_another_question_is_no_choice(mini):
    assert "Luc" not in told("wat kost parkeren?", "nl")
