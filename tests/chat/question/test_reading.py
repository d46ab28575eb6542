from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from chat.question.by_code import understand
from chat.question.form import Form, Question, QuestionReader, form_of, read
from chat.question.learned.needs import need_head
from chat.turn import Exchange, Turn, Understanding
from retrieval.embedding import get_hearer
from retrieval.intents import Intent
from retrieval.tuning import Steering
from tests.chat.question.readers import reader


@pytest.mark.parametrize(
    ("concepts", "kind", "form"),
    [
        (["where", "parking"], "money", Form.PLACE),
        (["visit", "what_time"], "hours", Form.TIME),
        (["how_much", "cost", "room"], "money", Form.PRICE),
        (["how_much", "drink"], "text", Form.VALUE),
        (["can", "dog", "visit"], "text", Form.YES_NO),
        (["i", "smoke", "may"], "text", Form.YES_NO),
        (["who", "cardiology"], "text", Form.WHO),
        (["parking"], "money", Form.PRICE),
        (["telephone"], "contact", Form.WHO),
        ([], "items", Form.LIST),
        ([], "text", Form.WHAT),
        ([], "a kind of tomorrow", Form.WHAT),
    ],
)
def test_the_word_that_asks_comes_before_what_usually_answers(
    concepts: list[str], kind: str, form: Form
) -> None:
    assert form_of(concepts, kind, wants_list=False) is form


def test_who_asks_for_all_of_them_wants_a_list() -> None:
    assert form_of(["which", "doctor"], "text", wants_list=True) is Form.LIST


def understood(turn: Turn) -> Understanding:
    return understand(turn.question, turn, reader())


def house() -> QuestionReader:
    return QuestionReader(
        understand=understood,
        embed=get_hearer().heard,
        needs=need_head(),
        steering=Steering(by_intent={str(Intent.NAVIGATION_OR_PRACTICAL_INFO): "practical"}),
    )


def asked(text: str, *earlier: str) -> Question:
    history = tuple(Exchange(question, "") for question in earlier)
    return read(text, Turn(text, "nl", history), house())


def test_a_question_has_subject_need_form_intent_and_row() -> None:
    question = asked("wanneer mag ik op bezoek komen?")
    (part,) = question.parts
    assert question.language == "nl"
    assert part.need.key == "visiting_hours"
    assert part.need.probability > 0.5
    assert part.form is Form.TIME
    assert part.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO
    assert part.row == "practical"


def test_a_named_department_is_the_subject() -> None:
    (part,) = asked("op welk nummer bereik ik cardiologie?").parts
    assert [match.thing.name for match in part.subjects][:1] == ["Cardiologie"]
    assert part.need.key == "contact"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Où puis-je me garer ?", "fr"),
        ("Where can I park?", "en"),
        ("Wo kann ich parken?", "de"),
        ("Nereye park edebilirim?", "tr"),
        ("Dove posso parcheggiare?", "it"),
        ("Unde pot parca mașina?", "ro"),
        ("Πού μπορώ να παρκάρω;", "el"),
    ],
)
def test_the_same_question_is_read_the_same_in_every_language(text: str, language: str) -> None:
    question = asked(text)
    (part,) = question.parts
    assert question.language == language
    assert (part.need.key, part.form) == ("parking_place", Form.PLACE)


def test_two_questions_are_two_parts_each_with_its_own_need() -> None:
    question = asked("Wat kost parkeren? En tot hoe laat is het bezoek?")
    assert [part.need.key for part in question.parts] == ["parking_price", "visiting_hours"]


def test_a_read_question_cannot_be_changed() -> None:
    question = asked("parkeren?")
    with pytest.raises(FrozenInstanceError):
        question.text = "iets anders"  # type: ignore[misc]
    assert replace(question, text="iets anders") != question
