"""How soon a remembered answer is found is measured, and nothing is left of it."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from chat.models import CachedAnswer
from chat.services import answer
from chat.sessions import start


def test_each_way_to_find_an_answer_is_timed_among_so_many(mini, tmp_path, capsys):
    file = tmp_path / "report.json"

    call_command("benchmark_answers", hospital="azm-mini", answers=500, json=file)

    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["answers"] >= 500
    assert {"exact", "rewritten"} < found["rows"].keys()
    assert all(0 < each["p50_ms"] <= each["p95_ms"] for each in found["rows"].values())
    assert "remembered answers" in capsys.readouterr().out


def test_what_visitors_were_answered_is_remembered_as_before(mini):
    answer(start(mini, "nl"), "Hoeveel kost parkeren?")
    before = set(CachedAnswer.objects.values_list("pk", flat=True))

    call_command("benchmark_answers", hospital="azm-mini", answers=50)

    assert before
    assert set(CachedAnswer.objects.values_list("pk", flat=True)) == before


def test_who_names_no_hospital_asks_the_first_that_is_live(mini, capsys):
    call_command("benchmark_answers", answers=20)

    assert "rewritten" in capsys.readouterr().out


@pytest.mark.django_db
def test_where_nothing_is_published_there_is_nobody_to_ask():
    with pytest.raises(CommandError, match="nobody to ask"):
        call_command("benchmark_answers", answers=20)


def test_no_answers_are_nothing_to_look_among(mini):
    with pytest.raises(CommandError, match="1 or more"):
        call_command("benchmark_answers", hospital="azm-mini", answers=0)
