"""Every rule of an answer uses the turn's clock, which a trial may set."""

import ast
import json
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from chat.models import Intervention
from chat.selectors import live_interventions
from chat.services import take_turn
from chat.turn import Turn
from tests.zol.staff import signed_in
from zol.clock import moment_of
from zol.errors import BadInput
from zol.models import Role

HOSPITAL = ("--hospital", "azm-mini")
QUESTION, ANSWER = "Waar kan ik parkeren met de auto?", "Op parking Noord."
LAST_DAY = date(2031, 5, 31)
PAGE = "/admin/chat/intentexample/explain/"
#: What answers are made by. Where time is only measured or stored, it is no rule of an answer.
ANSWERS = ("chat/stages", "chat/answering", "chat/checking", "chat/question", "chat/safety",
           "chat/sources", "chat/wiring", "chat/answer_cache/reuse",
           "chat/pipeline", "chat/tools", "chat/turn", "retrieval/ranking", "retrieval/search",
           "taxonomy/resolvers")  # fmt: skip
CLOCKS = {"now", "today", "localdate", "localtime", "utcnow"}


@pytest.fixture
def curated(mini):
    """An answer by hand that holds until the end of a day."""
    Intervention.objects.create(
        hospital=mini, kind="curated", questions="parkeren auto*", reason="Verhuisd",
        text_nl=ANSWER, review_by=LAST_DAY,
    )  # fmt: skip
    live_interventions.forget()
    yield mini
    live_interventions.forget()


def answer_at(moment: datetime) -> str:
    return take_turn(Turn(QUESTION, at=moment)).context.answer


@pytest.mark.django_db
def test_a_rule_of_dates_holds_at_the_time_that_is_asked_about(curated):
    last_minute = moment_of("2031-05-31T23:59")

    assert answer_at(last_minute) == ANSWER
    assert answer_at(last_minute + timedelta(minutes=1)) != ANSWER


@pytest.mark.django_db
def test_the_commands_take_the_time(curated, capsys):
    for at, expected in (("2031-05-31T12:00", "curated"), ("2031-06-01", "")):
        call_command("understand", QUESTION, *HOSPITAL, "--at", at, "--json")
        assert json.loads(capsys.readouterr().out)["intervention"] == expected

    call_command("ask", QUESTION, *HOSPITAL, "--at", "2031-05-31T22:30+02:00")
    assert ANSWER in capsys.readouterr().out


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["ask", "understand"])
def test_what_is_no_time_is_refused_in_words(mini, command):
    with pytest.raises(CommandError, match=r"--at: “morgen” is not a date and time: write it as"):
        call_command(command, QUESTION, *HOSPITAL, "--at", "morgen")


@pytest.mark.django_db
def test_staff_set_the_time_of_a_question_that_they_try(curated):
    client = signed_in(curated, Role.CURATOR)
    asked = {"question": QUESTION, "language": "nl", "of": "live"}

    def found(at: str) -> dict[str, str]:
        (answer,) = client.post(PAGE, asked | {"at": at}).context["answers"]
        return answer.explained["found"]

    assert found("2031-05-31T12:00")["intervention"] == "curated"
    assert found("2031-05-31T12:00")["at"].startswith("2031-05-31T12:00")
    assert found("2031-06-01")["intervention"] == ""
    assert "answers" not in client.post(PAGE, asked | {"at": "morgen"}).context


def test_a_time_without_a_zone_is_the_hospitals():
    assert moment_of("2026-07-01T10:00").utcoffset() == timedelta(hours=2)
    assert moment_of("2026-01-01T23:30+00:00").date() == date(2026, 1, 2)
    assert moment_of("2026-07-01") == datetime(2026, 7, 1, tzinfo=ZoneInfo(settings.TIME_ZONE))


@pytest.mark.parametrize("text", ["", "morgen", "2026-13-01", "25:00", "0001-01-01T00:00+14:00"])
def test_what_is_no_time_is_bad_input(text):
    with pytest.raises(BadInput, match="is not a date and time"):
        moment_of(text)


def test_nothing_that_answers_looks_at_another_clock():
    named = [Path(each) for each in ANSWERS]
    files = [file for each in named for file in each.rglob("*.py")]
    files += [each.with_suffix(".py") for each in named if not each.is_dir()]

    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in CLOCKS, f"{file}:{node.lineno}"
