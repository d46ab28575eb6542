"""Golden questions are written in plain fields; runs and results are only read."""

import pytest

from evaluation.models import GoldenQuestion, Result, Run
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
GOLDEN = "/admin/evaluation/goldenquestion/"


@pytest.fixture
def officer(hospital):
    return signed_in(hospital, Role.QUALITY)


def written(**fields):
    return {
        "key": "nav-1", "category": "navigation", "language": "nl", "expect": "answer",
        "turns": "Waar is de ingang?\nEn met een rolstoel?", "entities": "Sint-Jan|Genk\n",
        "passages": "https://www.example.org/ingang De ingang ligt vooraan",
    } | fields  # fmt: skip


def test_lists_are_written_line_by_line(hospital, officer):
    answer = officer.post(f"{GOLDEN}add/", written())

    assert answer.status_code == 302
    row = GoldenQuestion.objects.get()
    assert row.turns == ["Waar is de ingang?", "En met een rolstoel?"]
    assert row.entities == ["Sint-Jan|Genk"]
    assert row.passages == [
        {"url": "https://www.example.org/ingang", "quote": "De ingang ligt vooraan"}
    ]


def test_a_page_shows_the_lines_again_and_saves_them_unchanged(hospital, officer):
    officer.post(f"{GOLDEN}add/", written())
    row = GoldenQuestion.objects.get()
    url = f"{GOLDEN}{row.pk}/change/"

    page = officer.get(url)
    form = page.context["adminform"].form
    officer.post(url, {each.html_name: each.field.prepare_value(each.value()) for each in form})

    assert "[&quot;" not in page.text
    again = GoldenQuestion.objects.get()
    assert (again.turns, again.passages) == (row.turns, row.passages)


def test_runs_are_read_without_raw_data(hospital, officer):
    run = Run.objects.create(hospital=hospital, flags={"boosts": True})
    Result.objects.create(
        hospital=hospital, run=run, key="nav-1", category="navigation", language="nl", passed=False,
        data={"answer": "Vooraan.", "scores": {"recall": 0.5}},
    )  # fmt: skip

    page = officer.get(f"/admin/evaluation/run/{run.pk}/change/")
    listed = officer.get(
        "/admin/evaluation/result/", {"run__id__exact": run.pk, "passed__exact": 0}
    )
    result = officer.get(f"/admin/evaluation/result/{Result.objects.get().pk}/change/")

    assert "0 / 1" in page.text
    assert "nav-1" in listed.text
    assert "scores · recall" in result.text
    assert "{&#x27;" not in page.text + result.text
