"""Evaluation asks the embedded engine; a model only when somebody says so, within the budget."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat.models import ModelBudget, ModelCall
from chat.selectors import budget_used
from evaluation import preview, runs
from evaluation.golden import stored_cases
from evaluation.models import Run
from evaluation.reports import compare, flags_of
from evaluation.tasks import ask_run
from taxonomy.models import Department
from tests.scripted import Line, llm_at, scripted_endpoint
from tests.taxonomy.releases import submitted
from tests.zol.staff import signed_in
from zol.errors import BadInput
from zol.models import Role
from zol.tenancy import required_hospital_id

RUNS = "/admin/evaluation/run/"
WITH_MODEL = flags_of([]) | {"model": True}


@pytest.fixture
def model(mini, settings):
    """A configured model, which answers nothing of use."""
    budget_used.forget()
    with scripted_endpoint(lambda request: Line("No JSON.")) as endpoint:
        settings.LLM = llm_at(endpoint)
        yield endpoint
    budget_used.forget()


@pytest.fixture
def used_up(model):
    """A day's budget, and requests that have used it up."""
    ModelBudget.objects.create(hospital_id=required_hospital_id(), tokens=100)
    called(tokens_in=100)
    budget_used.forget()


def called(**values):
    usual = {
        "purpose": "answer",
        "endpoint": "main",
        "model": "tiny",
        "seconds": 1,
        "first_word": 1,
    }
    usual |= {"tokens_in": 600, "tokens_out": 400, "cost": 0.02}
    ModelCall.objects.create(hospital_id=required_hospital_id(), **(usual | values))


def evaluate(*options):
    call_command("evaluate", *options, stdout=StringIO())
    return Run.objects.first()


def test_a_configured_model_is_not_asked_by_itself(model):
    run = evaluate()

    assert run.versions["engine"] == "embedded"
    assert not model.requests
    assert not ModelCall.objects.exists()


def test_a_model_is_asked_on_request_and_its_requests_count_for_the_budget(model):
    run = evaluate("--engine", "model", "--category", "doctor_list")

    assert run.versions["engine"] != "embedded"
    assert ModelCall.objects.count() == len(model.requests) > 0


def test_a_request_for_a_model_that_is_not_there_is_refused(mini):
    with pytest.raises(CommandError, match="OPENAI_API_KEY"):
        evaluate("--engine", "model")


def test_no_run_of_a_model_begins_on_a_budget_that_is_used_up(used_up):
    with pytest.raises(CommandError, match="budget"):
        evaluate("--engine", "model")


def test_a_run_stops_where_the_budget_ends_and_can_be_resumed(model):
    run = runs.start_run(stored_cases(), flags=WITH_MODEL)
    ModelBudget.objects.create(hospital_id=required_hospital_id(), tokens=100)
    called()
    budget_used.forget()

    with pytest.raises(BadInput, match="budget"):
        runs.ask(run, stored_cases()[0])

    assert not run.results.exists()


@pytest.fixture
def officer(mini, monkeypatch):
    monkeypatch.setattr(ask_run, "delay", lambda *args: None)
    return signed_in(mini, Role.QUALITY)


def test_the_page_of_a_run_says_what_a_model_would_cost_before_it_is_asked(model, officer):
    run = evaluate("--category", "doctor_list")
    for message in ("0" * 32, "1" * 32):
        called(message=message)
        called(message=message, purpose="verdict", tokens_in=100, tokens_out=0, cost=0.01)

    page = officer.get(f"{RUNS}{run.pk}/change/").content.decode()
    officer.post(RUNS, {"action": "ask_model", "_selected_action": [run.pk]})

    asked = Run.objects.first()
    assert f"about {2 * run.total} requests" in page
    assert f"{1_100 * run.total} tokens" in page
    assert f"cost {0.03 * run.total:.2f} " in page
    assert (asked.flags["model"], asked.selection["category"]) == (True, "doctor_list")


def test_without_a_model_no_page_offers_one(officer):
    run = evaluate("--category", "doctor_list")

    assert "ask_model" not in officer.get(f"{RUNS}{run.pk}/change/").content.decode()


def test_a_preview_asks_no_model_and_tells_which_evidence_changes(model, mini):
    Department.objects.filter(name="Longziekten").update(phone="011 00 99 99")
    release = submitted(mini, is_previewed=False)

    found = preview.replay(preview.start_preview(release))

    assert not model.requests
    changed = found.items.filter(changes__contains=["evidence"])
    lines = [line for item in changed for line in item.data["after"]["evidence"]]
    assert any("011 00 99 99" in line for line in lines)
    assert not any(
        "011 00 99 99" in line for item in changed for line in item.data["before"]["evidence"]
    )


def test_two_runs_are_compared_by_their_evidence(mini):
    both = [evaluate(), evaluate("--flag", "dense=off", "--flag", "keyword=off")]

    compared = compare(*((run, runs.results_of(run)) for run in both))

    assert compared["other_evidence"] >= compared["other_first"] > 0
