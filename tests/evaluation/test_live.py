"""A sample of live answers is graded off their path, and staff see the worst first."""

import json
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings as configured
from django.db import connections
from django.utils import timezone

from chat import services
from chat.channels import sessions
from chat.models import Message
from chat.services import TurnRequest
from evaluation import judging
from evaluation.models import LiveGrade
from evaluation.tasks import grade_answers
from retrieval.tuning import RetrievalTuning, Steering
from tests.factories import message
from tests.scripted import Line, scripted_endpoint
from tests.zol.staff import signed_in
from zol.models import Role

PARKING = "Waar kan ik parkeren en hoe lang is het gratis?"
GRADES = "/admin/evaluation/livegrade/"
GOOD = json.dumps({"value": 0.9})


def answered(hospital, question=PARKING, language="nl", **changes):
    """Return what the small hospital really answers, as it is stored."""
    message = services.answer(sessions.start(hospital, language), TurnRequest(question))
    Message.objects.filter(pk=message.pk).update(**changes)
    return Message.objects.get(pk=message.pk)


def graded(message):
    judging.grade(message)
    return LiveGrade.objects.get(pk=message.pk)


def written(hospital, text, *citations, language="nl", question=PARKING, **fields):
    """Return an answer with these words, as if it had been given."""
    usual = {"title": "", "url": "", "language": "nl"}
    cited = [usual | {"n": n, **each} for n, each in enumerate(citations, start=1)]
    values = {"certainty": "sure", "language": language} | fields
    return message(hospital, question, answer=text, citations=cited, **values)


def low(hospital, overall, *, days=0, **fields):
    """Return an answer that was graded so, so many days ago."""
    message = written(hospital, "Ja. [1]", {"passage": "Ja."}, **fields)
    row = LiveGrade.objects.create(hospital=hospital, message=message, overall=overall)
    LiveGrade.objects.filter(pk=row.pk).update(graded_at=timezone.now() - timedelta(days=days))
    return message


@pytest.fixture
def a_day(monkeypatch):
    """Return what sets how many answers are graded a day."""

    def most(number):
        steering = Steering(replace(RetrievalTuning(), live_grades=number))
        monkeypatch.setattr(judging, "steering_of", lambda snapshot: steering)

    return most


@pytest.fixture
def judge(mini, settings):
    """An endpoint that judges as a test tells it to."""
    with scripted_endpoint() as endpoint:
        here = {"name": "judge", "api_key": "", "base_url": endpoint.url}
        judge = {"model": "tiny-judge", "temperature": 0.0, "endpoints": [here]}
        settings.LLM = {"endpoints": [], "tiers": configured.LLM["tiers"] | {"judge": judge}}
        yield endpoint


def test_an_answer_is_graded_by_code_where_no_model_judges(mini):
    grade = graded(answered(mini))

    assert (grade.in_language, grade.graded_by) == (1.0, "code")
    assert (grade.supported, grade.faithfulness, grade.relevancy) == (None, None, None)


def test_a_model_whose_statements_gave_way_to_their_lines_is_graded_lower(mini):
    def told(*became):
        statements = [{"text": "Parkeren is gratis.", "became": fate} for fate in became]
        stages = [{"stage": "generation", "detail": {"statements": statements}}]
        return graded(written(mini, "Ja. [1]", {"passage": "Ja."}, trace={"stages": stages}))

    right, half = told("said", "said"), told("said", "quoted instead")

    assert (right.supported, half.supported) == (1.0, 0.5)
    assert half.overall < right.overall


def test_what_is_quoted_in_another_language_is_not_in_the_askers(mini):
    passage = "Het eerste halfuur parkeren is gratis voor alle bezoekers van het ziekenhuis."
    asked = {"question": "Where can I park the car when I visit my mother?", "language": "en"}
    dutch, english = (
        graded(written(mini, f"> {passage} [1]", {"passage": passage, **more}, **asked))
        for more in ({}, {"translated": "The first half hour is free."})
    )

    assert (dutch.in_language, english.in_language) == (0.0, 1.0)


def test_a_model_judges_by_two_requests_and_its_cost_is_kept(judge, mini, monkeypatch):
    prices = SimpleNamespace(cost=lambda calls: 0.25 * len(calls))
    monkeypatch.setattr(judging, "prices_of", lambda snapshot: prices)
    message = answered(mini, cost=1.0)
    judge.play([GOOD, json.dumps({"value": 0})])

    grade = graded(message)

    assert (grade.faithfulness, grade.relevancy) == (0.9, 0.0)
    assert "tiny-judge" in grade.graded_by
    message.refresh_from_db()
    assert message.cost == 1.5
    first, second = ("".join(m["content"] for m in each["messages"]) for each in judge.requests)
    assert message.question in first
    assert message.citations[0]["passage"] in first
    assert message.citations[0]["passage"] not in second.replace(message.answer, "")


@pytest.mark.parametrize("reply", [Line("nine out of ten"), Line(status=503)])
def test_a_bad_reply_is_no_grade_and_is_logged(judge, mini, reply, caplog):
    judge.play(lambda request: reply)

    grade = graded(answered(mini))

    assert (grade.in_language, grade.faithfulness, grade.relevancy) == (1.0, None, None)
    assert "could not be judged for relevancy" in caplog.text


def test_the_task_grades_what_a_day_may_have_and_no_more(mini, a_day):
    a_day(2)
    for _ in range(3):
        answered(mini)

    for _ in range(4):
        grade_answers(mini.pk)

    assert LiveGrade.objects.count() == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"behaviour": "refuse_medical"},
        {"certainty": "nothing"},
        {"state": "running"},
        {"created_at": timezone.now() - timedelta(days=2)},
    ],
    ids=["refused", "nothing", "running", "older"],
)
def test_only_ordinary_answers_of_the_last_day_are_drawn(mini, changes):
    answered(mini, **changes)

    assert not judging.due()


@pytest.mark.django_db
def test_two_workers_do_not_grade_the_same(mini):
    answered(mini)
    with connections["owner"].cursor() as another:
        name = f"evaluation.live.{mini.pk}"
        another.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [name])
        grade_answers(mini.pk)
        another.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])

    assert not LiveGrade.objects.exists()


def test_a_crash_loses_nothing_that_was_graded(mini, a_day, monkeypatch):
    a_day(500)
    answered(mini), answered(mini)
    grade = judging.grade

    def failing(message):
        if LiveGrade.objects.exists():
            raise RuntimeError
        grade(message)

    monkeypatch.setattr(judging, "grade", failing)
    with pytest.raises(RuntimeError):
        grade_answers(mini.pk)
    assert LiveGrade.objects.count() == 1

    monkeypatch.undo()
    a_day(500)
    grade_answers(mini.pk)
    assert LiveGrade.objects.count() == 2


def test_a_forgotten_answer_leaves_no_grade(mini):
    message = answered(mini)
    stale = answered(mini)
    judging.grade(message)
    services.forget(message.conversation)
    services.forget(stale.conversation)
    judging.grade(stale)

    assert not LiveGrade.objects.exists()


def test_staff_read_the_worst_first_with_its_message(hospital):
    good, bad = low(hospital, 0.9, question="Goed?"), low(hospital, 0.1, question="Slecht?")

    page = signed_in(hospital, Role.QUALITY).get(GRADES)

    assert [row.pk for row in page.context["cl"].result_list] == [bad.pk, good.pk]
    assert f"/admin/chat/message/{bad.pk}/change/" in page.text
    assert "10 %" in page.text
