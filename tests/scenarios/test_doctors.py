"""All doctors of a department are listed, and a visitor may choose one of them."""

import pytest

from chat import services
from chat.answer_cache import store as answer_cache
from chat.answer_cache.store import AnswerCache
from chat.channels import sessions
from chat.services import TurnRequest, take_turn
from chat.turn import Exchange, Turn
from taxonomy.publishing.live import live_snapshot
from taxonomy.vocabulary import Kind
from tests.builders import told

# Who is asked which of two namesakes is meant can answer.
#
# "Which one do you mean?" was asked of two doctors called Claeys, and "the one for children" was
# asked the same again, as were first names, days, and "the second one".
ASKED = {
    "nl": "wanneer is dokter Van der Aa er?",
    "en": "when does doctor Van der Aa see patients?",
    "it": "quando riceve il dottor Van der Aa?",
}


def told_about(question: str, language: str) -> str:
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
    answer = told_about(question, language)

    assert name in answer
    assert other not in answer


def test_what_fits_both_is_asked_again(mini):
    answer = told_about("die van dinsdag of maandag", "nl")

    assert "Lotte" in answer
    assert "Luc" in answer


def test_another_question_is_no_choice(mini):
    assert "Luc" not in told_about("wat kost parkeren?", "nl")


# A filter for sentences removed the list of gynaecologists: names that answer are kept.
@pytest.mark.parametrize(
    "question",
    [
        "Welke longartsen zijn er en wanneer kan ik langskomen?",
        "Quels sont les pneumologues ?",
        "alle artsen van longziekten aub",
    ],
)
def test_every_name_of_the_list_passes_the_checks(mini, question):
    words = live_snapshot().vocabulary
    doctors = words.doctors_in(words.get(Kind.DEPARTMENT, "longziekten"))
    answered = take_turn(Turn(question))

    assert all(doctor.name in answered.context.answer for doctor in doctors)
    assert "added" not in told("check", answered.trace)


# Three doctors were told, and a question later nobody knew who "one of them" was.
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
    told = services.answer(visitor, TurnRequest(FIRST[language])).answer
    assert all(name in told for name in (LOTTE, SAM, ZOE)), told

    answer = services.answer(visitor, TurnRequest(question)).answer

    assert [name for name in (LOTTE, SAM, ZOE) if name in answer] == [right], answer


# A cosine of 0.97 between "welke cardiologen" and "welke orthopedisten": the wrong doctors came.
def test_each_department_keeps_its_own_doctors(mini):
    for department, expected in (("longziekten", "Lotte"), ("oogziekten", "Çalışkan")):
        message = services.answer(
            sessions.start(mini, "nl"), TurnRequest(f"Welke artsen werken bij {department}?")
        )
        assert not message.cached
        assert expected in message.answer


def test_not_even_when_every_question_sounds_the_same(mini):
    from chat.answer_cache.reuse import gist_of
    from chat.turn import Context, Ticket, Turn
    from chat.wiring import read_by_code, tools

    cache = AnswerCache(live_snapshot(), duplicate=-1.0)
    kit = tools()

    def turn(question):
        asked = Turn(question)
        ctx = Context(asked, question=question, understanding=read_by_code(asked, kit.snapshot))
        return ctx, cache.similar(ctx, gist_of(ctx, kit.snapshot))

    ctx, found = turn("Welke artsen werken bij longziekten?")
    answer_cache.store(ctx.learn(text="De longartsen.", ticket=found), seconds=60)

    assert turn("Welke dokters werken er bij longziekten?")[1].reply.text == "De longartsen."
    assert isinstance(turn("Welke artsen werken bij oogziekten?")[1], Ticket)
    assert isinstance(turn("Wat is het telefoonnummer van longziekten?")[1], Ticket)


# Six turns about the doctors of one department, and always the same two names.
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


# A ward's code ("B3-afdeling") was shown where the department should have stood.
CODE = "B3-afdeling"


@pytest.mark.parametrize(
    "question",
    [
        "Bij welke afdeling kan ik terecht met een longontsteking?",
        "Wie behandelt longontsteking?",
        "Where do I go with pneumonia?",
        "Hoe maak ik een afspraak voor een longontsteking?",
    ],
)
def test_a_department_is_shown_and_never_the_code_of_its_ward(mini, question):
    things = live_snapshot().vocabulary
    pneumonia = things.get(Kind.CONDITION, "longontsteking")
    assert CODE in {each.name for each in things.departments_of(pneumonia)}

    answered = take_turn(Turn(question)).context

    assert CODE not in answered.answer
    assert "Longziekten" in answered.answer
    assert CODE not in "".join(answered.reply.follow_ups)


def test_who_asks_for_the_ward_learns_which_department_it_belongs_to(mini):
    answer = take_turn(Turn("Wat is de B3-afdeling?")).context.answer

    assert "B3-afdeling hoort bij Longziekten." in answer
