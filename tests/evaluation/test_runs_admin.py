"""Quality officers start, follow, stop, resume and compare runs; others only read them."""

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation import runs
from evaluation.golden import stored_cases
from evaluation.models import Run
from evaluation.preview import LOST
from evaluation.reports import flags_of
from evaluation.tasks import ask_run, preview_releases
from tests.zol.staff import signed_in
from zol.models import AuditEntry, Role

RUNS = "/admin/evaluation/run/"


@pytest.fixture
def handed_out(monkeypatch):
    """What workers were given, instead of giving it to any."""
    given = []
    monkeypatch.setattr(ask_run, "delay", lambda *args: given.append(args))
    return given


@pytest.fixture
def enter(mini, handed_out, django_capture_on_commit_callbacks):
    """Return a signed-in browser in which what is sent is committed, as it is outside of tests."""

    def browser(role):
        made = signed_in(mini, role)
        post = made.post

        def sent(*args, **more):
            with django_capture_on_commit_callbacks(execute=True):
                return post(*args, follow=True, **more)

        made.post = sent
        return made

    return browser


@pytest.fixture
def officer(enter):
    return enter(Role.QUALITY)


@pytest.fixture
def start(officer):
    def post(**said):
        return officer.post(f"{RUNS}add/", {"category": "", "language": "", "note": ""} | said)

    return post


def step(officer, name, *runs):
    pks = [run.pk for run in runs]
    return officer.post(RUNS, {"action": name, "_selected_action": pks})


def asked(hospital, *keys):
    """Return a run that was stopped when it had asked some questions."""
    cases = stored_cases()
    run = runs.start_run(cases, flags=flags_of([]), alive_at=timezone.now())
    for case in cases:
        if case.key in keys:
            runs.ask(run, case)
    Run.objects.filter(pk=run.pk).update(state=Run.State.STOPPED)
    return run


def test_a_quality_officer_starts_a_run_that_a_worker_asks(mini, start, handed_out, officer):
    page = start(note="voor de update")

    run = Run.objects.get()
    assert (run.note, run.state, run.total) == ("voor de update", "running", len(stored_cases()))
    assert page.redirect_chain[-1][0] == f"{RUNS}{run.pk}/change/"
    assert "0/6" in page.text
    assert "Stop, and keep what was asked so far" in page.text
    assert AuditEntry.objects.filter(what="row.added", subject__contains=str(run.pk)).exists()
    [given] = handed_out
    ask_run(*given)
    state = officer.get(f"{RUNS}{run.pk}/progress/").json()
    assert state == {"done": 6, "total": 6, "running": False, "hint": ""}
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED
    assert run.summary["summary"]["questions"] == 6


def test_a_second_start_says_that_one_is_running_and_starts_nothing(mini, start, handed_out):
    start()

    page = start()

    assert "A run is already in progress" in page.text
    assert Run.objects.count() == len(handed_out) == 1


def test_a_stopped_run_keeps_what_was_asked_and_asks_the_rest_when_it_is_resumed(
    mini, start, officer, handed_out, monkeypatch
):
    start()
    run = Run.objects.get()
    ask = runs.ask

    def ask_and_stop(run, case):
        ask(run, case)
        if run.results.count() == 2:
            step(officer, "stop", run)

    monkeypatch.setattr(runs, "ask", ask_and_stop)
    ask_run(*handed_out.pop())
    run.refresh_from_db()
    kept = set(run.results.values_list("pk", flat=True))
    assert (run.state, len(kept)) == (Run.State.STOPPED, 2)

    page = step(officer, "resume", run)
    ask_run(*handed_out.pop())

    assert "The questions are being asked." in page.text
    run.refresh_from_db()
    assert (run.state, run.results.count()) == (Run.State.FINISHED, 6)
    assert kept < set(run.results.values_list("pk", flat=True))


def test_a_run_that_fails_says_why_and_can_be_resumed(
    mini, start, officer, handed_out, monkeypatch
):
    start()
    run = Run.objects.get()

    def fails(run, case):
        raise RuntimeError("kapot")

    with monkeypatch.context() as broken, pytest.raises(RuntimeError):
        broken.setattr(runs, "ask", fails)
        ask_run(*handed_out.pop())
    page = officer.get(f"{RUNS}{run.pk}/change/")
    run.refresh_from_db()
    assert run.state == Run.State.FAILED
    assert run.failure in page.text
    assert "Resume: ask the remaining questions" in page.text

    step(officer, "resume", run)
    ask_run(*handed_out.pop())

    run.refresh_from_db()
    assert (run.state, run.failure) == (Run.State.FINISHED, "")


def test_a_run_whose_worker_died_is_taken_up_by_another_and_the_first_lets_go(
    mini, start, handed_out
):
    start()
    run = Run.objects.get()
    lost = handed_out.pop()
    Run.objects.update(alive_at=timezone.now() - LOST - timedelta(seconds=1))

    preview_releases()
    ask_run(*handed_out.pop())
    ask_run(*lost)

    run.refresh_from_db()
    assert (run.state, run.results.count()) == (Run.State.FINISHED, 6)


def test_two_runs_are_ticked_and_compared(mini, officer):
    first, second = asked(mini, "mini-001"), asked(mini, "mini-001")
    Run.objects.filter(pk=second.pk).update(note="met de nieuwe pagina")

    page = step(officer, "compare", second, first)
    one = step(officer, "compare", first)

    assert page.redirect_chain == [(f"{RUNS}compare/{first.pk}/{second.pk}/", 302)]
    assert "1 questions were asked in both runs" in page.text
    assert "<td>met de nieuwe pagina</td>" in page.text
    assert f"{timezone.localtime(first.created_at):%Y-%m-%d %H:%M}</td>" in page.text
    assert "Choose two runs to compare." in one.text


def test_the_results_of_a_run_are_exported(mini, officer):
    run = asked(mini, "mini-003")
    asked(mini, "mini-003", "mini-002")

    made = officer.get("/admin/evaluation/result/export/csv/", {"run__id__exact": run.pk})

    [row] = csv.DictReader(io.StringIO(made.content.decode("utf-8-sig")))
    result = run.results.get()
    assert (row["run"], row["key"], row["passed"]) == (str(run.pk), "mini-003", "True")
    assert row["question"] == {case.key: case for case in stored_cases()}["mini-003"].question
    assert row["answer"] == result.data["answer"]
    assert row["pages"].startswith(result.data["citations"][0]["url"])
