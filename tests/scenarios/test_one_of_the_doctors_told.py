"""Three doctors were told, and a question later nobody knew who "one of them" was."""

import pytest

from chat import services
from chat.channels import sessions

LOTTE, SAM, ZOE = "Lotte", "Lauwers", "D'Hondt"
FIRST = {
    "nl": "Welke artsen werken bij longziekten?",
    "tr": "Göğüs hastalıkları bölümünde hangi doktorlar var?",
}


@pytest.mark.parametrize(
    ("language", "question", "right"),
    [
        ("nl", "Werkt een van hen op vrijdag?", SAM),
        ("nl", "Is er iemand van hen op campus Heide?", LOTTE),
        ("nl", "Wie van hen spreekt Duits?", ZOE),
        ("tr", "Onlardan biri cuma günü çalışıyor mu?", SAM),
        ("tr", "Hangisi Almanca konuşuyor?", ZOE),
    ],
)
def test_a_question_about_one_of_the_doctors_who_were_told_is_answered_with_that_one(
    mini, language, question, right
):
    visitor = sessions.start(mini, language)
    told = services.answer(visitor, FIRST[language]).answer
    assert all(name in told for name in (LOTTE, SAM, ZOE)), told

    answer = services.answer(visitor, question).answer

    assert [name for name in (LOTTE, SAM, ZOE) if name in answer] == [right], answer
