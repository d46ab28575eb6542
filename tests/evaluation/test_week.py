"""The demonstration is not empty when it is first looked at, and nobody takes what was made up for real."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from chat.behaviours import Channel
from chat.models import Conversation, Feedback, Message
from evaluation import week
from evaluation.cases import read_cases
from evaluation.models import Run
from evaluation.week import TURNS, erase, fill
from retrieval.models import CategoryMismatch
from tests.zol.staff import signed_in
from zol.languages import LANGUAGES
from zol.models import Role

pytestmark = pytest.mark.slow


@pytest.fixture
def empty(untouched, mini, monkeypatch):
    """The small hospital, which nobody has asked anything, with a category that it has."""
    monkeypatch.setattr(week, "CATEGORY", "navigational")
    return mini


def test_a_week_of_real_answers_is_made_up_once(empty):
    fill(empty)
    fill(empty)

    golden = 6
    talks, turns = Conversation.objects.all(), Message.objects.all()
    assert {talk.channel for talk in talks} == {Channel.DEMO}
    assert (len(talks), Run.objects.get().state) == (golden, Run.State.FINISHED)
    assert all(turn.answer and turn.trace and turn.state == "finished" for turn in turns)
    assert Feedback.objects.count() == 2
    now = timezone.now()
    days = {timezone.localdate(turn.created_at) for turn in turns}
    assert len(days) == golden
    assert all(now - timedelta(days=6, hours=1) < turn.created_at < now for turn in turns)
    assert all(
        timedelta() < turn.finished_at - turn.created_at < timedelta(hours=1) for turn in turns
    )
    measured = CategoryMismatch.objects.filter(conversation_id__in=[talk.pk for talk in talks])
    assert {timezone.localdate(each.created_at) for each in measured} <= days


def test_where_somebody_has_asked_nothing_is_made_up(empty):
    Conversation.objects.create(hospital=empty)

    fill(empty)

    assert Conversation.objects.count() == 1
    assert not Run.objects.exists()


def test_what_was_made_up_is_marked_and_erased_without_what_was_asked(empty, monkeypatch):
    monkeypatch.setattr(week, "TURNS", 1)
    fill(empty)
    real = Conversation.objects.create(hospital=empty)
    Message.objects.create(hospital=empty, conversation=real, question="Waar is de balie?")
    browser = signed_in(empty, Role.QUALITY, username="kijker")

    listed = browser.get("/admin/chat/message/").text
    shown = browser.get(
        f"/admin/chat/message/{Conversation.objects.last().messages.get().pk}/change/", follow=True
    )
    erase()

    assert listed.count(">made up</span>") == 1
    assert "made up for the demonstration" in shown.text
    assert "made up for the demonstration" in browser.get("/admin/chat/conversation/").text
    assert list(Conversation.objects.all()) == [real]
    assert not CategoryMismatch.objects.filter(message_id__isnull=False).exists()


def test_the_week_of_the_demonstration_is_asked_in_every_language():
    cases = week._mixed(read_cases(settings.BASE_DIR / "zol" / "demo" / "pack" / "golden.jsonl"))

    assert {case.language for case in cases} == set(LANGUAGES)
    assert TURNS <= sum(1 + len(case.earlier) for case in cases) < TURNS + 5
    assert len({case.category for case in cases}) > 20
