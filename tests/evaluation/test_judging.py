"""Labels are completed by what people judged of all that several rankings found."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation import reports, services
from evaluation.cases import read_cases
from evaluation.judging import fingerprint, read_judgements, relabelled
from evaluation.models import Run
from evaluation.packs.mistakes import PackRefused
from retrieval.models import Chunk


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


def graded(tmp_path, grade_of):
    """Return a file of judgements of all passages for the golden question, each by its text."""
    file = tmp_path / "judged.csv"
    passages = dict(Chunk.objects.values_list("content", "document__url"))
    rows = [f"g-1,{fingerprint(url, text)},{grade_of(text)}\n" for text, url in passages.items()]
    file.write_text("question,passage,grade\n" + "".join(rows), encoding="utf-8")
    return file


def evaluated(path, **options):
    report = path.with_name("report.json")
    call_command("evaluate", hospital="azm-mini", json=report, stdout=StringIO(), **options)
    return json.loads(report.read_text(encoding="utf-8"))["summary"]


def test_a_file_with_mistakes_is_refused_with_every_place(tmp_path):
    file = tmp_path / "judged.csv"
    file.write_text("question,passage,grade\ng-1,aa,3\n,bb,1\ng-1,cc,2\ng-1,cc,0\n", "utf-8")

    with pytest.raises(PackRefused) as refused:
        read_judgements(file)

    assert [str(each) for each in refused.value.mistakes] == [
        "judged.csv:2:3: grade: “3” is none of 0 (no help), 1 (helps), 2 (answers).",
        "judged.csv:3:1: question: the cell is empty.",
        "judged.csv:5:3: grade: this passage has another grade for this question above.",
    ]


def test_no_file_of_judgements_is_refused_in_a_sentence(mini, tmp_path):
    path = golden(tmp_path)

    with pytest.raises(CommandError, match="There is no file"):
        evaluated(path, golden=path, judged=tmp_path / "none.csv")
    with pytest.raises(CommandError, match="cannot be read: Is a directory"):
        evaluated(path, golden=path, judged=tmp_path)


def test_a_golden_run_measures_passages_by_what_was_judged_and_answers_as_before(mini, tmp_path):
    file, path = (
        graded(tmp_path, lambda text: 0 if "Dijkstraat" in text else 2),
        golden(tmp_path),
    )

    by_label, by_judgement = (
        evaluated(path, golden=path, **judged) for judged in ({}, {"judged": file})
    )

    assert by_label["ndcg@10"] == 1.0 > by_judgement["ndcg@10"] > 0.0
    assert by_judgement["pass_rate"] == by_label["pass_rate"]


def test_a_run_goes_on_with_the_judgements_that_it_began_with(mini, tmp_path):
    file, path = graded(tmp_path, lambda _: 2), golden(tmp_path)
    first = evaluated(path, golden=path, judged=file)

    assert evaluated(path, resume=Run.objects.latest("pk").pk) == first


def test_a_report_says_whose_labels_its_figures_rest_on(mini, tmp_path):
    file, path = graded(tmp_path, lambda _: 2), golden(tmp_path)
    evaluated(path, golden=path)
    evaluated(path, golden=path, judged=file)

    by_label, judged = Run.objects.order_by("pk")

    compared = reports.compare(*((run, services.results_of(run)) for run in (by_label, judged)))
    assert compared.settings == (("labels", None, "judged.csv"),)
    assert "judged.csv" in reports.markdown(compared.after)


def test_questions_of_which_nothing_was_judged_are_asked_all_the_same(mini, tmp_path):
    file, path = tmp_path / "judged.csv", golden(tmp_path)
    file.write_text("question,passage,grade\nanother,p0123456789abcdef,2\n", encoding="utf-8")

    found = evaluated(path, golden=path, judged=file)

    assert (found["questions"], found["ndcg@10"]) == (1, None)


def test_a_question_of_which_nothing_judged_answers_has_no_ranking_to_measure(mini, tmp_path):
    both = tmp_path / "both.jsonl"
    asks = json.loads(golden(tmp_path).read_text(encoding="utf-8"))
    rows = [asks, asks | {"id": "g-2"}]
    both.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    file = graded(tmp_path, lambda _: 2)

    judged, unjudged = relabelled(read_cases(both), read_judgements(file))

    assert judged.passages
    assert unjudged.passages == ()
