"""Next questions are ones that a person would ask, and that we can answer."""

from __future__ import annotations

from chat.stages.suggest import suggest
from taxonomy.kinds import Kind, Predicate
from tests.builders import context, meant, passage, phrases, thing, tools, vocabulary

RADIOLOGY = thing(Kind.DEPARTMENT, "Radiologie", hours="ma-vr 8:00-18:00")
ANN = thing(Kind.DOCTOR, "Ann Peeters")
WORDS = vocabulary((ANN, Predicate.WORKS_IN, RADIOLOGY))
TEXTS = phrases(
    suggest_doctors="Welke artsen werken bij {department}?",
    suggest_booking="Hoe maak ik een afspraak bij {department}?",
    suggest_hours="Wat zijn de bezoekuren van {department}?",
)


def offered(*passages, **learned):
    ctx = context(passages=passages, **learned)
    return suggest(ctx, tools(words=WORDS, phrases=TEXTS)).context.follow_ups


def test_a_heading_with_a_question_mark_is_not_offered():
    page = passage("…", questions=("Materniteit?", "Bezoek: Wie mag komen op de kamer?"))

    assert offered(page) == ()


def test_a_real_question_of_a_nearby_passage_is_offered():
    page = passage("…", questions=("Hoe lang duurt een scan?",))

    assert offered(page) == ("Hoe lang duurt een scan?",)


def test_only_what_is_known_of_a_department_is_offered():
    assert offered(understanding=meant(RADIOLOGY)) == (
        "Welke artsen werken bij Radiologie?",
        "Hoe maak ik een afspraak bij Radiologie?",
    )


def test_a_question_in_another_language_is_not_offered():
    page = passage("…", questions=("Hoe lang duurt een scan?",))

    assert offered(page, understanding=meant(language="en")) == ()
