"""A hand-written answer kept giving an address after the move (incident 24).

A decision of staff holds at once, without a release, and a curated answer ends by itself.
"""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from chat import services
from chat.models import Conversation, Intervention, Message
from chat.selectors import forget_interventions
from chat.turn import Turn
from tests.zol.staff import signed_in
from zol.models import Role

QUESTION = "Waar kan ik parkeren met de auto?"
PAGE = "/admin/chat/intervention/"


def decide(hospital, kind="curated", **fields):
    usual = {
        "questions": "parkeren auto*",
        "reason": "Verhuisd",
        "text_nl": "Op parking Noord.",
        "review_by": timezone.localdate(),
    }
    row = Intervention(hospital=hospital, kind=kind, **usual | fields)
    row.full_clean(exclude=["hospital"])
    row.save()
    forget_interventions()
    return row


@pytest.fixture
def answering(mini):
    yield mini
    Intervention.objects.all().delete()


def asked(question=QUESTION):
    return services.take_turn(Turn(question)).context.answer


def test_a_curated_answer_is_given_without_a_release_and_ends_by_itself_after_its_date(answering):
    row = decide(answering)
    given = asked(), asked("Hoe laat is het bezoek?")
    row.review_by = timezone.localdate() - timedelta(days=1)
    row.save()
    forget_interventions()

    assert given[0] == "Op parking Noord." != given[1]
    assert asked() != "Op parking Noord."
    with pytest.raises(ValidationError):
        decide(answering, review_by=None)


@pytest.mark.parametrize("kind", ["block", "freeze"])
def test_an_answer_is_held_back_in_the_visitors_language(answering, kind):
    decide(answering, kind)

    held = services.take_turn(Turn(QUESTION)).context

    assert answering.phone in held.answer
    assert held.citations == ()


def test_an_emergency_comes_first(answering):
    decide(answering, questions="pijn borst")

    assert services.take_turn(Turn("ik heb nu pijn op de borst")).context.behaviour == "emergency"


def test_everybody_who_received_an_answer_is_listed_however_many(hospital):
    conversation = Conversation.objects.create(hospital=hospital)
    Message.objects.bulk_create(
        Message(hospital=hospital, conversation=conversation, question=f"{QUESTION} {n}")
        for n in range(2_100)
    )
    row = decide(hospital, "freeze")
    browser = signed_in(hospital, Role.QUALITY)

    lines = b"".join(browser.get(f"{PAGE}{row.pk}/received.csv").streaming_content).splitlines()

    assert len(lines) == 2_101
    assert f"{PAGE}{row.pk}/received.csv" in browser.get(f"{PAGE}{row.pk}/change/").content.decode()
