"""Staff go from an answer that failed to what mends it, and see when it fails again."""

from datetime import timedelta

import numpy as np
import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from chat.models import Feedback, Message
from chat.services import forget
from evaluation.models import GoldenQuestion, WorkItem
from evaluation.queue import failed_groups, founders
from tests.factories import message
from tests.zol.staff import member, signed_in
from zol.models import Role
from zol.records.audit import AuditEntry

pytestmark = pytest.mark.django_db
QUEUE = "/admin/evaluation/workitem/"
DOG = ("Mag mijn hond op bezoek komen?", "Kan de hond mee op bezoek?")
HERNIA = ("Welke arts behandelt hernia?", "Wie behandelt een hernia bij jullie?")


def asked(hospital, question, certainty="nothing", **fields):
    """Return a question that was answered badly."""
    return message(hospital, question, certainty=certainty, **fields)


def disliked(hospital, question, **more):
    made = asked(hospital, question, "sure", **more)
    Feedback.objects.create(hospital=hospital, message=made, is_good=False)
    return made


def do(browser, message, step):
    return browser.post(f"{QUEUE}{message.pk}/{step}/")


def shown(browser, **query):
    """Return the groups that a page shows."""
    return list(browser.get(QUEUE, query).context["groups"])


@pytest.fixture
def officer(hospital):
    return signed_in(hospital, Role.QUALITY)


def test_what_was_asked_in_other_words_is_one_group(hospital):
    for question in (*DOG, *HERNIA):
        asked(hospital, question)

    assert {
        frozenset(each.question for each in group.messages) for group in failed_groups()
    } == {frozenset(DOG), frozenset(HERNIA)}  # fmt: skip


def test_what_failed_of_late_is_told_the_most_and_worst_first(hospital):
    asked(hospital, "Waar kan ik parkeren?", "sure")
    asked(hospital, "Waar is de zwerfkei?", days=31)
    asked(hospital, "Waar is de kapel?", state="running")
    asked(hospital, "Wat zijn de bezoekuren?", "near", days=1)
    for question in DOG:
        asked(hospital, question, "near", days=1)
    disliked(hospital, HERNIA[0])
    asked(hospital, HERNIA[1], "nothing")

    found = failed_groups()

    assert [group.badness for group in found] == [4, 2, 1]
    assert found[0].failures == {"disliked": 1, "nothing": 1}


def test_a_question_joins_the_founder_that_it_is_most_alike():
    vectors = np.array([[1, 0], [0.8, 0.6], [0.9, 0.436], [0, 1]], np.float32)

    assert founders(vectors, 1, 0.95) == [(1, 1), (2, 1), (3, 3)]
    assert founders(vectors, 0, 0.5) == [(0, 0), (1, 0), (2, 0), (3, 3)]


def test_who_takes_a_group_on_owns_it(hospital, officer):
    lost = asked(hospital, DOG[0])

    answer = do(officer, lost, "take")

    assert answer["Location"] == f"{QUEUE}{lost.pk}/change/"
    item = WorkItem.objects.get()
    assert (item.message, item.owner.username, item.state) == (lost, Role.QUALITY, "open")
    assert DOG[0] in officer.get(answer["Location"]).text
    assert [group.item for group in shown(officer, show="mine")] == [item]


def test_what_was_decided_stays_while_questions_come_and_go(hospital, officer):
    old, asked_again = asked(hospital, DOG[0], days=29), asked(hospital, DOG[1])
    do(officer, old, "take")
    Message.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=40))

    (group,) = shown(officer)

    assert group.item == WorkItem.objects.get(message=old)
    assert group.messages == [asked_again]


def saved(browser, message, **fields):
    """Save the form of a group, as it is opened but for some fields."""
    url = f"{QUEUE}{message.pk}/change/"
    form = browser.get(url).context["adminform"].form
    said = {each.html_name: each.value() or "" for each in form}
    return browser.post(url, said | fields)


def test_a_group_keeps_owner_date_and_note_with_who_changed_them(hospital, officer):
    lost = asked(hospital, DOG[0])
    do(officer, lost, "take")
    colleague = member(hospital, Role.OPERATOR)

    saved(officer, lost, owner=colleague.pk, due="2026-12-24", note="Pagina gevraagd.")

    item = WorkItem.objects.get()
    assert (item.owner, str(item.due), item.note) == (colleague, "2026-12-24", "Pagina gevraagd.")
    assert "Pagina gevraagd." in officer.get(f"{QUEUE}{lost.pk}/history/").text
    assert AuditEntry.objects.filter(what=AuditEntry.What.ROW_CHANGED).exists()
    assert not AuditEntry.objects.filter(subject__contains="hond").exists()


def test_a_group_is_not_done_without_a_guard_or_a_reason(hospital, officer):
    lost = asked(hospital, DOG[0])

    answer = officer.post(f"{QUEUE}{lost.pk}/done/", follow=True)

    assert "Choose the golden question that tests it, or write why there is none." in answer.text
    assert answer.context["adminform"].form["state"].value() == WorkItem.State.DONE
    assert WorkItem.objects.get().state == WorkItem.State.OPEN
    assert saved(officer, lost, state="done", note=" ").status_code == 200
    assert saved(officer, lost, state="done", note="De pagina zegt het nu.").status_code == 302
    assert not shown(officer)
    assert [group.first for group in shown(officer, show="closed")] == [lost]


def test_a_failed_question_is_made_golden_once_with_what_came_before_it(hospital, officer):
    before = asked(hospital, "Mag ik bezoek krijgen?", "sure", days=1)
    lost = asked(hospital, "En mijn hond?", conversation=before.conversation)

    first, again = do(officer, lost, "golden"), do(officer, lost, "golden")

    golden = GoldenQuestion.objects.get()
    assert golden.turns == ["Mag ik bezoek krijgen?", "En mijn hond?"]
    assert (golden.language, golden.expect, golden.owner) == ("nl", "answer", Role.QUALITY)
    assert first["Location"] == again["Location"]
    assert first["Location"] == f"/admin/evaluation/goldenquestion/{golden.pk}/change/"
    assert "Enter the expected answer here." in officer.get(first["Location"]).text
    assert WorkItem.objects.get().golden == golden


def test_a_guarded_group_is_closed_in_one_click_and_comes_back_if_it_fails_again(hospital, officer):
    lost = asked(hospital, DOG[0])
    do(officer, lost, "golden")

    assert "Closed." in officer.post(f"{QUEUE}{lost.pk}/done/", follow=True).text
    assert not shown(officer)
    again = asked(hospital, DOG[1])
    (group,) = shown(officer)
    assert (group.messages, group.is_back) == ([again], True)
    assert "failed again after it was closed" in officer.get(QUEUE).text
    do(officer, lost, "done")
    assert not shown(officer)
    said = [entry.change_message for entry in LogEntry.objects.order_by("pk")]
    assert said == [
        "Added to the work queue.",
        "A golden question now tests it.",
        *["Closed as done."] * 2,
    ]


def test_who_is_forgotten_leaves_nothing_in_the_queue(hospital, officer):
    lost, other = asked(hospital, DOG[0], days=1), asked(hospital, DOG[1])
    do(officer, lost, "take")

    forget(lost.conversation)

    assert not WorkItem.objects.exists()
    assert [group.first for group in shown(officer)] == [other]
