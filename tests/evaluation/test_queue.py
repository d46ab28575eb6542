"""Staff go from an answer that failed to what mends it, and see when it fails again."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from lxml import html

from chat.models import Conversation, Feedback, Message
from chat.services import forget
from evaluation import queue
from evaluation.models import GoldenQuestion, WorkItem
from evaluation.queue import NEWEST, failed_groups, founders
from tests.zol.staff import member, signed_in
from zol.audit import AuditEntry
from zol.models import Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
QUEUE = "/admin/evaluation/workitem/"
DOG = ("Mag mijn hond op bezoek komen?", "Kan de hond mee op bezoek?")
HERNIA = ("Welke arts behandelt hernia?", "Wie behandelt een hernia bij jullie?")


def asked(hospital, question, certainty="nothing", *, days=0, **fields):
    """Return a question that was answered badly, so many days ago."""
    values = {
        "answer": "Nee.",
        "behaviour": "answer",
        "state": "finished",
        "language": "nl",
    } | fields
    values.setdefault("conversation", Conversation.objects.create(hospital=hospital))
    made = Message.objects.create(
        hospital=hospital, question=question, certainty=certainty, **values
    )
    made.created_at = timezone.now() - timedelta(days=days)
    made.save(update_fields=["created_at"])
    return made


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


@pytest.mark.parametrize("role", list(Role))
def test_who_may_not_read_questions_of_patients_does_not_see_what_failed(hospital, role):
    asked(hospital, DOG[0])
    browser = signed_in(hospital, role)
    reads = browser.get("/admin/chat/message/").status_code == 200

    page = browser.get(QUEUE)

    assert page.status_code == (200 if reads else 403)
    assert (QUEUE in browser.get("/admin/").text) is reads


def test_who_only_reads_is_offered_nothing_to_do(hospital):
    lost = asked(hospital, DOG[0])
    browser = signed_in(hospital, Role.ANALYST)

    assert "<button" not in html.tostring(content(browser.get(QUEUE))).decode()
    assert {do(browser, lost, step).status_code for step in ("take", "golden", "done")} == {403}
    assert not WorkItem.objects.exists()


def content(page):
    return html.document_fromstring(page.content).get_element_by_id("content-main")


def test_a_page_that_does_something_is_not_followed_as_a_link(hospital, officer):
    lost = asked(hospital, DOG[0])

    assert officer.get(f"{QUEUE}{lost.pk}/take/").status_code == 405


def test_what_was_asked_in_other_words_is_one_group(hospital):
    for question in (*DOG, *HERNIA):
        asked(hospital, question)

    assert {
        frozenset(each.question for each in group.messages) for group in failed_groups()
    } == {frozenset(DOG), frozenset(HERNIA)}  # fmt: skip


def test_only_what_failed_of_late_is_told(hospital):
    asked(hospital, "Waar kan ik parkeren?", "sure")
    asked(hospital, "Waar is de zwerfkei?", days=31)
    asked(hospital, HERNIA[0], state="running")
    near, down = asked(hospital, DOG[0], "near"), disliked(hospital, "Wat zijn de bezoekuren?")

    assert {group.first for group in failed_groups()} == {near, down}


def test_what_happens_most_and_worst_stands_first(hospital):
    asked(hospital, "Wat zijn de bezoekuren?", "near", days=1)
    for question in DOG:
        asked(hospital, question, "near", days=1)
    disliked(hospital, HERNIA[0])
    asked(hospital, HERNIA[1], "nothing")

    found = failed_groups()

    assert [group.badness for group in found] == [4, 2, 1]
    assert found[0].failures == {"disliked": 1, "nothing": 1}


def test_a_group_tells_what_was_not_spoken_of_and_where_people_were_sent(hospital, officer):
    asked(hospital, DOG[0], missing=["hond"], contact={"name": "Onthaal"}, days=1)
    asked(hospital, DOG[1], missing=["hond", "mee"], intent="navigation")

    said = content(officer.get(QUEUE)).text_content()

    (group,) = failed_groups()
    assert (group.missing, group.about) == (["hond", "mee"], ["Onthaal"])
    for words in ("hond", "mee", "Onthaal", "2 times", "nothing found: 2"):
        assert words in said


def test_groups_are_the_same_in_whatever_order_they_are_made(hospital):
    for number, question in enumerate((*DOG, *HERNIA)):
        asked(hospital, question, days=number)

    first, again = failed_groups(), failed_groups()

    assert [group.first for group in first] == [group.first for group in again]
    assert {group.question for group in first} == {DOG[1], HERNIA[1]}  # The oldest of each.


def test_a_question_joins_the_founder_that_it_is_most_alike():
    vectors = np.array([[1, 0], [0.8, 0.6], [0.9, 0.436], [0, 1]], np.float32)

    assert founders(vectors, 1, 0.95) == [(1, 1), (2, 1), (3, 3)]
    assert founders(vectors, 0, 0.5) == [(0, 0), (1, 0), (2, 0), (3, 3)]


def test_nobody_sees_what_failed_at_another_hospital(hospital, other_hospital, officer):
    with serving(other_hospital):
        theirs = asked(other_hospital, "Waar is de zwerfkei van elders?")
        WorkItem.objects.create(hospital=other_hospital, message=theirs)
        fresh = asked(other_hospital, "En de andere kei van elders?")

    page = officer.get(QUEUE)

    assert not list(page.context["groups"])
    assert "elders" not in page.text
    assert {do(officer, each, "take").status_code for each in (theirs, fresh)} == {404}
    assert officer.get(f"{QUEUE}{theirs.pk}/change/").status_code == 302
    with serving(other_hospital):
        assert WorkItem.objects.count() == 1


def test_a_page_costs_the_same_for_any_number_of_questions(
    hospital, officer, django_assert_max_num_queries
):
    for number in range(30):
        lost = asked(hospital, f"{DOG[number % 2]} {number}")
        if number % 5 == 0:
            do(officer, lost, "golden")

    with django_assert_max_num_queries(20):
        page = officer.get(QUEUE)

    assert sum(len(group.messages) for group in page.context["groups"]) == 30


def test_only_the_newest_failures_are_read(hospital, monkeypatch):
    monkeypatch.setattr(queue, "NEWEST", 2)
    for days in range(4):
        asked(hospital, f"Vraag {days}", days=days)

    told = [each.question for group in failed_groups() for each in group.messages]

    assert sorted(told) == ["Vraag 0", "Vraag 1"]
    assert NEWEST == 500


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


def test_a_date_that_is_none_is_refused_in_words(hospital, officer):
    lost = asked(hospital, DOG[0])
    do(officer, lost, "take")

    assert "Enter a valid date." in saved(officer, lost, due="morgen").text


def test_a_group_is_not_done_without_a_guard_or_a_reason(hospital, officer):
    lost = asked(hospital, DOG[0])

    answer = officer.post(f"{QUEUE}{lost.pk}/done/", follow=True)

    assert "Choose the golden question that guards it, or write why none does." in answer.text
    assert answer.context["adminform"].form["state"].value() == WorkItem.State.DONE
    assert WorkItem.objects.get().state == WorkItem.State.OPEN
    assert saved(officer, lost, state="done", note=" ").status_code == 200
    assert saved(officer, lost, state="done", note="De pagina zegt het nu.").status_code == 302
    assert not shown(officer)
    assert [group.first for group in shown(officer, show="closed")] == [lost]


def test_nothing_to_do_needs_a_reason_whatever_guards_it(hospital, officer):
    lost = asked(hospital, DOG[0])
    do(officer, lost, "golden")

    assert "Say why there is nothing to do." in saved(officer, lost, state="none").text


def test_a_failed_question_is_made_golden_once_with_what_came_before_it(hospital, officer):
    before = asked(hospital, "Mag ik bezoek krijgen?", "sure", days=1)
    lost = asked(hospital, "En mijn hond?", conversation=before.conversation)

    first, again = do(officer, lost, "golden"), do(officer, lost, "golden")

    golden = GoldenQuestion.objects.get()
    assert golden.turns == ["Mag ik bezoek krijgen?", "En mijn hond?"]
    assert (golden.language, golden.expect, golden.owner) == ("nl", "answer", Role.QUALITY)
    assert first["Location"] == again["Location"]
    assert first["Location"] == f"/admin/evaluation/goldenquestion/{golden.pk}/change/"
    assert "Say here what must be answered." in officer.get(first["Location"]).text
    assert WorkItem.objects.get().golden == golden


def test_who_may_not_write_golden_questions_adds_none(hospital):
    lost = asked(hospital, DOG[0])
    browser = signed_in(hospital, Role.OPERATOR)

    assert do(browser, lost, "golden").status_code == 403
    assert "/golden/" not in browser.get(QUEUE).text
    assert not WorkItem.objects.exists()


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
    assert said == ["Taken on.", "Guarded by a golden question.", *["Closed as done."] * 2]


def test_an_answer_to_the_question_is_begun_with_it(hospital):
    lost = asked(hospital, "Mag mijn hond & kat\nop bezoek?", missing=["hond & kat"])
    browser = signed_in(hospital, Role.OPERATOR)

    queue = content(browser.get(QUEUE))
    links = [link.get("href") for link in queue.iterfind(".//a[@class='button']")]
    (missing,) = [link.get("href") for link in queue.iterfind(".//a[@class='badge']")]

    trying, curated, alias = (browser.get(link) for link in (*links[:2], missing))
    asked_again = "Mag mijn hond &amp; kat op bezoek?"
    assert f'<a href="{QUEUE}#q{lost.pk}">Back</a>' in trying.text
    assert trying.context["past"] == lost
    assert asked_again in str(curated.context["adminform"].form["examples_nl"])
    assert "hond &amp; kat" in str(alias.context["adminform"].form["text"])
    assert parse_qs(urlsplit(links[2]).query)["language"] == ["nl"]


def test_who_is_forgotten_leaves_nothing_in_the_queue(hospital, officer):
    lost, other = asked(hospital, DOG[0], days=1), asked(hospital, DOG[1])
    do(officer, lost, "take")

    forget(lost.conversation)

    assert not WorkItem.objects.exists()
    assert [group.first for group in shown(officer)] == [other]


def test_when_nothing_failed_the_page_says_so(hospital, officer):
    page = officer.get(QUEUE)

    assert "No answer has failed that nobody has dealt with." in page.text
    assert "Nothing stands here." in officer.get(QUEUE, {"show": "mine"}).text


@pytest.mark.parametrize(
    "query", [{"show": "alles"}, {"page": "x"}, {"page": "99"}, {"show": "\0"}]
)
def test_an_address_that_means_nothing_shows_what_is_open(hospital, officer, query):
    lost = asked(hospital, DOG[0])

    page = officer.get(QUEUE, query)

    assert [group.first for group in page.context["groups"]] == [lost]
    assert ("There is no such list" in page.text) is ("show" in query)


def test_the_home_page_leads_to_what_failed_and_says_what_somebody_promised(hospital, officer):
    lost = asked(hospital, DOG[0])
    do(officer, lost, "take")

    assert "by now" not in officer.get("/admin/").text
    WorkItem.objects.update(due=timezone.localdate())
    home = html.document_fromstring(officer.get("/admin/").content)
    links = {link.get("href"): link.text_content() for link in home.iterfind(".//main//a[@href]")}

    assert links[f"{QUEUE}?show=mine"] == "Failed answers that you would mend by now1"
    assert home.xpath(f"//*[contains(@class, 'figure')]//a[@href='{QUEUE}']")


def test_the_page_is_in_dutch_too(hospital):
    asked(hospital, DOG[0], "near")

    page = signed_in(hospital, Role.QUALITY, language="nl").get(QUEUE)

    assert "Werklijst" in page.text
    for english in ("Work queue", "Take on", "came near"):
        assert english not in page.text
