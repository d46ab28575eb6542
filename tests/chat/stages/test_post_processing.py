"""What follows an answer: doctors that it left out, and further questions."""

import pytest

from chat import wiring
from chat.answering.additions import next_questions
from chat.stages.post_processing import post_processing
from chat.turn import Turn
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import context, meant, passage, phrases, thing, tools, vocabulary

FLOORS = "> - Verdieping 1: Longziekten\n> - Verdieping 2: Oogziekten"


@pytest.fixture(autouse=True)
def served(mini):
    """Every test here is about the doctors of the small hospital."""


@pytest.mark.parametrize(
    ("question", "departments"),
    [
        ("Op welke verdieping van oogziekten zit mijn dokter?", ["Oogziekten"]),
        pytest.param("Welke dokter helpt mij?", [], id="no department is asked about"),
        pytest.param("Welke dokter van oogziekten spreekt Grieks?", [], id="nobody speaks it"),
        pytest.param("Op welke verdieping is het restaurant?", [], id="nobody is asked for"),
    ],
)
def test_a_plan_of_the_floors_adds_the_doctors_of_the_department_that_was_asked_about(
    question, departments
):
    kit, turn = wiring.tools(), Turn(question)
    meaning = wiring.read_by_code(turn, kit.snapshot)
    ctx = context(question, understanding=meaning, text=FLOORS, engine="model")

    told = post_processing(ctx, kit).detail.get("supplement", {})

    assert list(told.get("supplement", {})) == departments


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
    return tuple(next_questions(ctx, tools(words=WORDS, phrases=TEXTS)))


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
