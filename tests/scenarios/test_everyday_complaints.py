"""An everyday complaint is no emergency, and has a department.

On 28 November 93 of 592 complaints that can wait were answered with "Call 112", since what was
learned from emergencies had seen hardly any: fungus on a nail, gums that bleed, ears that stick out.
"""

from __future__ import annotations

import pytest

from chat.behaviours import Behaviour
from chat.services import take_turn
from chat.turn import Exchange, Turn
from retrieval.intents import Intent


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "schimmelnagel aan mijn grote teen, al jaren. bij wie moet ik zijn"),
        ("en", "my gums bleed when i brush my teeth, who should i see"),
        ("fr", "mon fils a les oreilles décollées et on se moque de lui à l'école"),
        ("de", "ich schnarche so laut, dass meine Frau im anderen Zimmer schläft"),
        ("tr", "yıllardır dizim ağrıyor merdiven çıkarken"),
        ("it", "da mesi ho le mani che si addormentano di notte"),
        ("ro", "am o aluniță care mă deranjează la guler"),
        ("el", "ξεχνάω συχνά ονόματα τελευταία, ποιον να δω"),
    ],
)
def test_it_is_not_answered_with_the_emergency_number(mini, language: str, question: str):
    told = take_turn(Turn(question, language)).context

    assert told.behaviour is not Behaviour.EMERGENCY, question


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "ik kreeg een rekening van 480 euro voor mijn pols, kan ik die in stukken betalen?"),
        ("nl", "mijn plas van vanmorgen zit in een confituurpotje, is dat goed genoeg?"),
        ("de", "Wie lange müssen die Fäden in meinem Knie bleiben?"),
        ("it", "il mese prossimo mi cambiano l'anca, quanti giorni resto?"),
    ],
)
def test_a_part_of_the_body_makes_no_complaint_of_a_question(mini, language: str, question: str):
    told = take_turn(Turn(question, language)).context

    assert told.understanding.intent is not Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION, question


def test_a_second_complaint_is_a_question_of_its_own(mini):
    first = "schimmelnagel aan mijn grote teen, al jaren. bij wie moet ik zijn"
    second = "mijn man vraagt vijf keer op een uur hetzelfde en vergeet het gas af te zetten"
    told = take_turn(Turn(first, "nl")).context
    history = (Exchange(first, told.answer),)

    assert not take_turn(Turn(second, "nl", history=history)).context.understanding.is_followup
