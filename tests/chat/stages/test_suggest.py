"""Next questions are ones that a person would ask, and that we can answer."""

from __future__ import annotations

from chat.stages.suggest import suggest
from taxonomy.kinds import Kind, Predicate
from tests.builders import context, meant, passage, phrases, thing, tools, vocabulary

RADIOLOGY = thing(Kind.DEPARTMENT, "Radiologie", hours="ma-vr 8:00-18:00")
CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie")
ANN = thing(Kind.DOCTOR, "Ann Peeters")
BOB = thing(Kind.DOCTOR, "Bob Claes", schedule="ma 9:00-12:00@sint-jan")
WORDS = vocabulary(
    (ANN, Predicate.WORKS_IN, RADIOLOGY),
    (ANN, Predicate.WORKS_IN, CARDIOLOGY),
    (BOB, Predicate.WORKS_IN, CARDIOLOGY),
)
TEXTS = phrases(
    suggest_doctors="Welke artsen werken bij {department}?",
    suggest_booking="Hoe maak ik een afspraak bij {department}?",
    suggest_hours="Wat zijn de bezoekuren van {department}?",
)


def offered(*passages, **learned):
    ctx = context(passages=passages, **learned)
    return suggest(ctx, tools(words=WORDS, phrases=TEXTS)).context.follow_ups


def test_a_heading_of_a_page_is_not_offered_whatever_it_looks_like():
    page = passage("…", questions=("Parkeren op campus Sint-Jan?", "Hoe lang duurt een scan?"))

    assert offered(page) == ()


def test_only_what_is_known_of_a_department_is_offered():
    assert offered(understanding=meant(CARDIOLOGY)) == (
        "Welke artsen werken bij Cardiologie?",
        "Hoe maak ik een afspraak bij Cardiologie?",
    )


def test_no_appointment_is_offered_where_nobody_holds_consultations():
    assert offered(understanding=meant(RADIOLOGY)) == ("Welke artsen werken bij Radiologie?",)
