"""Three doctors were told, and a question later nobody knew who "one of them" was."""

from __future__ import annotations

import pytest

from chat import services
from chat.channels import sessions

#: Who is there, and then: on Friday, at the other campus, in German.
ASKED = {
    "nl": (
        "Welke artsen werken bij longziekten?",
        "Werkt een van hen op vrijdag?",
        "Is er iemand van hen op campus Heide?",
        "Wie van hen spreekt Duits?",
    ),
    "en": (
        "Which doctors work at pneumology?",
        "Does one of them work on Friday?",
        "Is any of them at the Heide campus?",
        "Which of them speaks German?",
    ),
    "fr": (
        "Quels médecins travaillent en pneumologie ?",
        "L'un d'eux travaille-t-il le vendredi ?",
        "Est-ce que l'un d'eux consulte au campus Heide ?",
        "Lequel d'entre eux parle allemand ?",
    ),
    "de": (
        "Welche Ärzte arbeiten in der Pneumologie?",
        "Arbeitet einer von ihnen am Freitag?",
        "Ist einer von ihnen am Campus Heide?",
        "Wer von ihnen spricht Deutsch?",
    ),
    "tr": (
        "Göğüs hastalıkları bölümünde hangi doktorlar var?",
        "Onlardan biri cuma günü çalışıyor mu?",
        "Onlardan biri Heide kampüsünde mi?",
        "Hangisi Almanca konuşuyor?",
    ),
    "it": (
        "Quali medici lavorano in pneumologia?",
        "Uno di loro lavora il venerdì?",
        "Uno di loro visita al campus Heide?",
        "Chi di loro parla tedesco?",
    ),
    "ro": (
        "Ce medici lucrează la pneumologie?",
        "Lucrează vreunul dintre ei vineri?",
        "Este vreunul dintre ei la campusul Heide?",
        "Care dintre ei vorbește germană?",
    ),
    "el": (
        "Ποιοι γιατροί δουλεύουν στην πνευμονολογία;",
        "Δουλεύει κάποιος από αυτούς την Παρασκευή;",
        "Είναι κάποιος από αυτούς στην πανεπιστημιούπολη Heide;",
        "Ποιος από αυτούς μιλάει γερμανικά;",
    ),
}
LOTTE, SAM, ZOE = "Lotte", "Lauwers", "D'Hondt"
RIGHT = {1: SAM, 2: LOTTE, 3: ZOE}


@pytest.mark.parametrize("which", RIGHT)
@pytest.mark.parametrize("language", ASKED)
def test_a_question_about_one_of_the_doctors_who_were_told_is_answered_with_that_one(
    mini, language, which
):
    visitor = sessions.start(mini, language)
    told = services.answer(visitor, ASKED[language][0]).answer
    assert all(name in told for name in (LOTTE, SAM, ZOE)), told

    answer = services.answer(visitor, ASKED[language][which]).answer

    assert RIGHT[which] in answer, answer
    assert not [name for name in (LOTTE, SAM, ZOE) if name != RIGHT[which] and name in answer], (
        answer
    )
