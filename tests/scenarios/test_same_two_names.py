"""Six turns about the doctors of one department, and always the same two names."""

from chat.services import take_turn
from chat.turn import Exchange, Turn
from taxonomy.publishing.live import live_snapshot
from taxonomy.vocabulary import Kind
from tests.builders import told

QUESTIONS = (
    "Welke oogartsen werken hier?",
    "Zijn er nog andere oogartsen?",
    "Geef mij alle oogartsen",
    "welke artsen zijn er bij oogziekten",
    "wie werkt er allemaal bij oogziekten?",
    "list all eye doctors please",
)


def test_every_turn_names_everybody(mini):
    words = live_snapshot().vocabulary
    department = words.get(Kind.DEPARTMENT, "oogziekten")
    everybody = {doctor.name for doctor in words.doctors_in(department)}
    history, counted = (), []
    for question in QUESTIONS:
        answered = take_turn(Turn(question, history=history))
        answer = answered.context.answer
        history = (*history, Exchange(question, answer))

        assert {name for name in everybody if name not in answer} == set(), question
        counted.append(told("add_roster", answered.trace).get("doctors"))
        assert "added" not in told("check", answered.trace)
    assert counted.count(len(everybody)) >= len(QUESTIONS) / 2


def test_a_question_about_one_doctor_lists_nobody_else(mini):
    answered = take_turn(Turn("Wie is dokter Çalışkan?"))

    assert "Luc Van der Aa" not in answered.context.answer
    assert answered.context.published.roster == ()
