"""How well passages are ranked, with and without each stage, and what steering turns round."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.cases import Case
from evaluation.rankings import ALL, UNSTEERED, VARIANTS, Ranked, contaminations, report_json


def golden(tmp_path, **fields):
    record = {
        "id": "g-1",
        "category": "contamination",
        "language": "nl",
        "question": "Langs waar kan ik met mijn rolstoel naar binnen?",
        "expect": "answer",
        "content_category": "practical",
        "passages": [
            {
                "url": "https://www.azm-mini.example/praktisch/bereikbaarheid",
                "quote": "De ingang aan de Dijkstraat is toegankelijk met een rolstoel.",
            }
        ],
    } | fields
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def asked(path, **options):
    shown = StringIO()
    call_command("ranking", hospital="azm-mini", golden=path, stdout=shown, **options)
    return shown.getvalue()


def ranked(key, *, place, subject, off):
    return Ranked(key, ndcg=0.5, recall=1.0, place=place, subject=subject, off=off)


def test_every_set_of_stages_is_measured_on_real_pages(mini, tmp_path):
    report = tmp_path / "report.json"

    shown = asked(golden(tmp_path), json=report)

    assert all(name in shown for name in VARIANTS)
    written = json.loads(report.read_text(encoding="utf-8"))
    assert written["questions"] == 1
    assert written["stages"][ALL]["recall@10"] == 1.0


def test_only_questions_with_labels_can_be_ranked(mini, tmp_path):
    with pytest.raises(CommandError, match="labelled passages"):
        asked(golden(tmp_path, passages=[]))


def test_a_contamination_is_a_question_that_finds_other_subjects_near_the_top():
    cases = [
        Case(key, "contamination", "nl", "?", content_category="practical") for key in ("a", "b")
    ]
    rankings = {
        UNSTEERED: (
            ranked("a", place=3, subject="regulatory", off=0.4),
            ranked("b", place=1, subject="practical", off=0.0),
        ),
        ALL: (
            ranked("a", place=1, subject="practical", off=0.2),
            ranked("b", place=1, subject="practical", off=0.0),
        ),
    }

    (found,) = contaminations(cases, rankings)
    report = report_json(cases, rankings)["contaminations"]

    assert found.key == "a"
    assert report["before"]["right subject first"] == 0
    assert report["after"]["right subject first"] == 1
    assert report["each"][0]["place"] == [3, 1]
