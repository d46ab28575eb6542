"""How sure an answer must be at one hospital is found by questions of its own."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat import live
from chat.answering.composition import planned_for
from chat.answering.plan import Lead
from chat.models import Message
from chat.pipeline import PREPARING, run
from chat.turn import Turn
from evaluation.calibration import SURETIES, Probe, lowest, rates, read_problems
from evaluation.management.commands import calibrate
from evaluation.models import Run
from retrieval.meanings import meaning_of
from retrieval.models import RetrievalSetting
from retrieval.tuning import read_steering
from taxonomy.live import live_snapshot
from tests.zol.staff import member
from zol.models import AuditEntry, Role

HOURS, WINKEL = "https://www.azm-mini.example/praktisch/bezoek", "Tot hoe laat is de winkel open?"
TELLING = [
    {"question": WINKEL, "language": "nl", "pages": ["/praktisch/bezoek"]},
    {
        "question": "Met hoeveel personen mag ik op bezoek komen?",
        "language": "nl",
        "pages": [HOURS],
    },
    {"question": "Is er een zwembad voor bezoekers?", "language": "nl", "pages": []},
]
#: Two in three sure answers are right from 0.5 on, all of them from 0.8 on.
FOUND = [
    Probe("nl", 0.9, is_right=True, is_answerable=True),
    Probe("nl", 0.8, is_right=True, is_answerable=True),
    Probe("nl", 0.7, is_right=False, is_answerable=False),
    Probe("nl", 0.4, is_right=False, is_answerable=True),
    Probe("nl", 0.0, is_right=False, is_answerable=False),
]


@pytest.fixture
def asked(tmp_path):
    def write(rows):
        file = tmp_path / "questions.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return file

    return write


def told(file, **options):
    said = StringIO()
    call_command("calibrate", str(file), hospital="azm-mini", stdout=said, **options)
    return said.getvalue()


def test_shares_are_taken_of_what_they_are_about():
    found = rates(FOUND, 0.5)

    means = {name: found[name]["mean"] for name in ("answered", "wrong", "unanswerable", "hedged")}
    assert means == pytest.approx(
        {"answered": 3 / 5, "wrong": 1 / 3, "unanswerable": 1 / 2, "hedged": 1 / 3}
    )
    assert rates(FOUND, 0.95)["wrong"] is None


@pytest.mark.parametrize(("promise", "surety"), [(0.35, 0.41), (0.05, 0.71)])
def test_the_lowest_surety_that_keeps_a_promise_is_found(promise, surety):
    assert lowest(FOUND, promise)["surety"] == surety


def test_a_promise_that_nothing_keeps_is_kept_by_none():
    assert lowest(FOUND[2:], 0.05) is None


def test_every_surety_that_is_tried_may_be_asked_for():
    meant = meaning_of("sure_from")

    assert (SURETIES[0], SURETIES[-1]) == (meant.lowest, meant.highest)


@pytest.mark.django_db
def test_questions_are_asked_and_nothing_is_kept_of_them(mini, asked, tmp_path):
    said = told(asked(TELLING), json=tmp_path / "found.json")

    report = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert (report["questions"], report["answerable"]) == (3, 2)
    assert report["languages"] == {"nl": 3}
    assert "Questions in which a quotation decides: 3 (nl 3)" in said
    assert "This is a guess: 3 questions tell, and 60 are needed." in said
    assert not Message.objects.exists()
    assert not Run.objects.exists()


@pytest.mark.django_db
def test_golden_questions_tell_too_where_something_should_be_answered(mini):
    problems = list(read_problems(calibrate.Path("tests/packs/mini/golden.jsonl")))

    assert [case.key for case, right in problems if right] == ["mini-001", "mini-002"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "This is not JSON"),
        ('{"question": "Wanneer?", "language": "nl", "pages": ["/weg"]}', "/weg is a searchable"),
        ('{"question": "Wanneer?", "pages": []}', "language: the field is missing"),
        ('{"language": "nl", "pages": []}', "question is missing"),
    ],
)
def test_a_file_with_a_mistake_is_refused_by_line(mini, asked, line, why):
    file = asked(TELLING[:1])
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")

    with pytest.raises(CommandError, match=f":2:.*{why}(.|\n)*Nothing was changed"):
        told(file)


@pytest.mark.django_db
def test_what_cannot_be_is_refused_before_anything_is_asked(mini, asked):
    file = asked(TELLING)

    with pytest.raises(CommandError, match="There is no hospital “nowhere”"):
        call_command("calibrate", str(file), hospital="nowhere")
    with pytest.raises(CommandError, match="share between 0 and 1"):
        told(file, promise=5.0)
    with pytest.raises(CommandError, match="Name with --by somebody who may"):
        told(file, apply=True)
    with pytest.raises(CommandError, match="Name with --by somebody who may"):
        told(file, apply=True, by=member(mini, Role.ANALYST).username)


@pytest.mark.django_db
def test_a_guess_is_not_saved(mini, asked):
    operator = member(mini, Role.OPERATOR)

    with pytest.raises(CommandError, match="Nothing was changed"):
        told(asked(TELLING), apply=True, by=operator.username)

    assert not RetrievalSetting.objects.exists()


@pytest.mark.django_db
def test_what_was_found_is_saved_as_a_change_of_staff(mini, asked, monkeypatch):
    monkeypatch.setattr(calibrate, "LEAST", 1)
    operator = member(mini, Role.OPERATOR)

    said = told(asked(TELLING), apply=True, by=operator.username, promise=0.4)

    saved = RetrievalSetting.objects.get(name="sure_from")
    entry = AuditEntry.objects.get(what=AuditEntry.What.ROW_CHANGED)
    assert f"sure from {saved.value:.2f}. Once it is published, " in said
    assert (entry.by, entry.after) == (operator, f"sure_from: 0.6 → {saved.value:g}")


@pytest.mark.django_db
@pytest.mark.parametrize(("sure_from", "lead"), [(0.08, Lead.PAGES), (0.99, Lead.UNCERTAIN)])
def test_a_hospital_that_asks_for_more_hedges_what_another_answers(mini, sure_from, lead):
    snapshot = live_snapshot()
    row = {"name": "sure_from", "value": sure_from}
    rows = {**snapshot.rows, "retrieval.retrievalsetting": (row,)}
    kit = replace(live.tools(), steering=read_steering(replace(snapshot, rows=rows)))
    ctx, _ = run(Turn(WINKEL, "nl"), kit, PREPARING)

    assert planned_for(ctx, kit).lead is lead
