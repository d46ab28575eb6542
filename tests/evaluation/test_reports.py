"""A report says what a run measured, how sure that is, and what differs between two."""

import pytest

from evaluation import reports, runs
from evaluation.figures import JudgedAnswer, sensitivity, stages
from evaluation.golden import Case, stored_cases
from evaluation.models import Result
from evaluation.reports import flags_of
from evaluation.scores import Score
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db


def judged(key, recall, **fields):
    case = Case(key, fields.pop("category", "navigation"), "nl", f"vraag {key}?")
    scores = {"entity_recall": Score(recall, "missing: x")}
    return JudgedAnswer(case, recall >= 0.5, scores, {"answer": "", **fields})


def asked_run(*, flags=()):
    cases = stored_cases()[:3]
    run = runs.start_run(cases, flags=flags_of(flags))
    for case in cases:
        runs.ask(run, case)
    return runs.finish(run)


def test_the_pass_rate_follows_the_least_recall():
    results = [judged(str(n), n / 10) for n in range(11)]

    found = sensitivity(results)

    assert list(found) == [0.3, 0.4, 0.5, 0.6, 0.7]
    assert found[0.3] == pytest.approx(8 / 11)
    assert found[0.5] == pytest.approx(6 / 11)
    assert found[0.7] == pytest.approx(4 / 11)
    assert set(sensitivity([judged("a", 0.9, category="doctor_list")]).values()) == {0.0}


def test_times_are_told_by_stage_in_the_order_of_the_pipeline():
    results = [
        judged(str(n), 1.0, timings_ms={"total": 10.0 * n, "retrieval": n, "input_processing": 1})
        for n in range(1, 12)
    ]

    found = stages(results)

    assert list(found) == ["input_processing", "retrieval", "total"]
    assert found["retrieval"] == {"turns": 11, "p50_ms": 6.0, "p95_ms": 10.5}


def test_two_runs_are_compared_question_by_question(mini):
    run, other = asked_run(), asked_run(flags=["boosts=off"])
    before = [judged("a", 1.0), judged("b", 1.0), judged("c", 0.0), judged("only-before", 1.0)]
    after = [judged("a", 1.0, answer="anders"), judged("b", 0.0), judged("c", 1.0)]

    found = reports.compare((run, before), (other, after))

    assert found["shared"] == 3
    assert [change.after.key for change in found["lost"]] == ["b"]
    assert [change.after.key for change in found["won"]] == ["c"]
    assert found["reworded"] == 1
    assert (found["test"].only_first, found["test"].only_second, found["test"].p) == (1, 1, 1.0)
    assert found["difference"].mean == 0.0
    assert found["settings"] == [("boosts", None, False)]


def test_a_report_is_a_page_for_staff(mini):
    run = asked_run()
    officer = signed_in(mini, Role.QUALITY)

    told = Result.objects.filter(run=run)[0]
    told.pk, told.key, told.passed = None, "told", False
    told.data |= {"answer": "Bel **nu** [1]"}
    told.save()

    page = officer.get(f"/admin/evaluation/run/{run.pk}/report/")
    text = page.content.decode()
    result = officer.get(f"/admin/evaluation/result/{told.pk}/change/").content.decode()

    assert page.status_code == 200
    for read in (text, result):
        assert '<p>Bel <strong>nu</strong> <span class="cite">1</span></p>' in read
        assert "**" not in read
    assert "contamination" in text
    assert " style=" not in text
