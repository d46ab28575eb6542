"""What was learned to be an emergency is answered as one, and not forgotten in the conversation."""

from __future__ import annotations

import pytest

from chat.behaviours import Behaviour
from chat.models import Conversation
from chat.safety.red_flags import RedFlags
from chat.services import answer
from tests.chat.question.readers import ROWS, default_rows
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
#: No rule has words for it: `test_no_rule_has_words_for_it` holds that.
FELL = "mijn man is van het dak gestuikt en ligt te kreunen op het terras"


@pytest.fixture
def conversation(mini):
    return Conversation.objects.create(hospital_id=mini.pk)


def test_no_rule_has_words_for_it():
    assert not RedFlags(default_rows(ROWS["chat.redflagphrase"])).check(FELL)


def test_an_emergency_in_other_words_is_answered_as_one(conversation):
    message = answer(conversation, FELL)

    assert message.behaviour == Behaviour.EMERGENCY
    assert "112" in message.answer
    guard = next(s for s in message.trace["stages"] if s["stage"] == "detect_emergency")
    assert guard["detail"]["learned"]["like"]


def test_the_number_comes_first_once_more(conversation):
    answer(conversation, FELL)
    following = answer(conversation, "Waar kan ik parkeren?")

    assert following.behaviour == Behaviour.ANSWER
    assert "112" in following.answer.split("\n\n")[0]


def test_the_number_comes_first_after_a_red_flag_too(conversation):
    """The number stood on no page, and the check of figures took it out."""
    answer(conversation, "ik heb nu pijn op de borst")
    following = answer(conversation, "Waar kan ik parkeren?")

    assert "112" in following.answer.split("\n\n")[0]


def test_an_ordinary_conversation_hears_of_no_number(conversation):
    answer(conversation, "Wat zijn de bezoekuren?")
    following = answer(conversation, "Waar kan ik parkeren?")

    assert "112" not in following.answer


def test_staff_see_what_it_sounded_like(mini):
    page = signed_in(mini, Role.CURATOR).post(
        "/admin/chat/intentexample/try/", {"question": FELL, "language": "nl", "of": "live"}
    )

    explained = page.context["answers"][0].explained
    assert explained["alarm"]["like"] in page.text
    assert explained["found"]["red_flag"] == explained["alarm"]["kind"]


def test_the_number_comes_before_a_refusal_too(conversation):
    answer(conversation, FELL)
    following = answer(conversation, "Wat is het telefoonnummer van UZ Leuven?")

    assert following.behaviour == Behaviour.REFUSE_OTHER_HOSPITAL
    assert "112" in following.answer.split("\n\n")[0]


@pytest.mark.parametrize(
    "question",
    [
        "¿qué hago? mi marido no respira",
        "mój mąż stracił przytomność i nie oddycha",
        "у моего мужа инфаркт, он без сознания",
    ],
)
def test_a_language_not_spoken_here_hears_of_the_number_in_two(conversation, question):
    message = answer(conversation, question)

    assert message.behaviour == Behaviour.EMERGENCY
    assert "**Bel nu 112.**" in message.answer
    assert "**Call 112 now.**" in message.answer
