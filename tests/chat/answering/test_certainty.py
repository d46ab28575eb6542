"""Each answer has a certainty, by which staff find the uncertain ones."""

import pytest

from chat import services
from chat.behaviours import Behaviour, Certainty
from chat.models import Conversation, Message
from chat.services import TurnRequest
from chat.turn import Turn
from tests.builders import context
from tests.zol.staff import signed_in
from zol.models import Role

MESSAGES = "/admin/chat/message/"


@pytest.mark.parametrize(
    ("fields", "certainty"),
    [
        ({"certainty": Certainty.NEAR}, Certainty.NEAR),
        ({}, Certainty.SURE),
        ({"verified": True}, Certainty.FACT),
        ({"verified": True, "is_curated": True}, Certainty.CURATED),
        ({"behaviour": Behaviour.EMERGENCY}, Certainty.NONE),
    ],
)
def test_the_certainty_follows_from_author_and_evidence(fields, certainty):
    assert context(text="Bel 089. [1]", **fields).certainty is certainty


def test_certainty_and_missing_words_are_stored(mini):
    conversation = Conversation.objects.create(hospital=mini)

    message = services.answer(
        conversation, TurnRequest("Hoeveel kost een tatoeage laten weghalen?")
    )
    endless = services.answer(conversation, TurnRequest(f"Hoeveel kost een {'zwerfkei' * 30}?"))

    message.refresh_from_db()
    assert message.certainty in {Certainty.NEAR, Certainty.NOTHING}
    assert "tatoeage" in message.missing
    assert all(len(word) <= 80 for word in endless.missing)
    services.forget(conversation)


def test_a_sure_answer_misses_nothing(mini):
    answered = services.take_turn(Turn("Wat is het telefoonnummer van Oogziekten?"))

    assert answered.certainty is Certainty.FACT
    assert answered.context.reply.missing == ()


@pytest.mark.django_db
def test_staff_can_filter_uncertain_answers(hospital):
    conversation = Conversation.objects.create(hospital=hospital)
    for certainty in Certainty:
        Message.objects.create(
            hospital=hospital, conversation=conversation, question=f"Vraag {certainty}",
            certainty=certainty, missing=["tatoeage"], state=Message.State.FINISHED,
        )  # fmt: skip
    officer = signed_in(hospital, Role.QUALITY)

    page = officer.get(f"{MESSAGES}?certainty__in=near,nothing")

    assert {row.certainty for row in page.context["cl"].result_list} == {"near", "nothing"}
    assert "tatoeage" in page.content.decode()
