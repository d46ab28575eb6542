"""A hand-written answer kept giving an address after the move (incident 24).

A decision of staff holds at once, without a release, and a curated answer ends by itself.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from chat import services
from chat.models import Conversation, Intervention, Message
from chat.selectors import forget_interventions, who_asked
from chat.turn import Turn
from tests.zol.staff import signed_in
from zol.audit import AuditEntry
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


def test_a_curated_answer_is_given_without_a_release(answering):
    decide(answering)

    assert asked() == "Op parking Noord."
    assert asked("Hoe laat is het bezoek?") != "Op parking Noord."


def test_it_ends_by_itself_after_its_date(answering):
    decide(answering, review_by=timezone.localdate() - timedelta(days=1))

    assert asked() != "Op parking Noord."


def test_it_needs_a_date(answering):
    with pytest.raises(ValidationError):
        decide(answering, review_by=None)


def test_one_word_would_answer_too_much(answering):
    with pytest.raises(ValidationError):
        decide(answering, questions="parkeren")


@pytest.mark.parametrize("kind", ["block", "freeze"])
def test_an_answer_is_held_back_in_the_visitors_language(answering, kind):
    decide(answering, kind)

    held = services.take_turn(Turn(QUESTION)).context

    assert answering.phone in held.answer
    assert held.citations == ()


def test_an_emergency_comes_first(answering):
    decide(answering, questions="pijn borst")

    assert services.take_turn(Turn("ik heb nu pijn op de borst")).context.behaviour == "emergency"


def test_staff_see_who_received_an_answer(hospital):
    conversation = Conversation.objects.create(hospital=hospital)
    received = Message.objects.create(
        hospital=hospital, conversation=conversation, question=QUESTION, answer="Op P1."
    )
    Message.objects.create(
        hospital=hospital, conversation=conversation, question="Bezoekuren?", answer="14 uur"
    )

    row = decide(hospital, "freeze")

    assert list(who_asked(row)) == [received]
    page = signed_in(hospital, Role.QUALITY).get(f"{PAGE}{row.pk}/change/")
    assert str(conversation.pk)[:8] in page.content.decode()


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


def test_medical_advice_that_was_given_is_counted_on_the_home_page(hospital):
    browser = signed_in(hospital, Role.QUALITY)
    before = browser.get("/admin/").content.decode()

    decide(hospital, "freeze", incident="advice")

    assert "Medical advice given" in before
    figure = browser.get("/admin/").content.decode().split("Medical advice given")[1]
    assert "incident__exact=advice" in figure.split("</div>")[0]
    assert ">1</a>" in figure.split("</div>")[0]
    assert "figure urgent" not in before


def test_who_decides_is_written_down_and_who_may_not_is_kept_out(hospital):
    values = {"kind": "block", "questions": "parkeren auto", "reason": "fout", "is_active": "on"}

    signed_in(hospital, Role.QUALITY, username="quality").post(f"{PAGE}add/", values)

    assert Intervention.objects.filter(kind="block").exists()
    assert AuditEntry.objects.filter(who="quality", what="row.added").exists()
    reader = signed_in(hospital, Role.ANALYST, username="analyst")
    assert reader.post(f"{PAGE}add/", values).status_code == 403
