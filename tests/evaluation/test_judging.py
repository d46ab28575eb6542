"""Labels are completed by what people judged of all that several rankings found."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation import reports, services
from evaluation.cases import read_cases
from evaluation.judging import fingerprint, read_judgements, relabelled
from evaluation.models import Run
from evaluation.packs.mistakes import PackRefused
from evaluation.rankings import ALL
from retrieval.models import Chunk
from tests.evaluation.test_ranking import golden

ACCESS = "https://www.azm-mini.example/praktisch/bereikbaarheid"


def asked(path, **options):
    shown = StringIO()
    call_command("ranking", hospital="azm-mini", golden=path, stdout=shown, **options)
    return shown.getvalue()


def pooled(tmp_path, **options):
    """Return the file of what is found for the golden question, to be judged."""
    file = tmp_path / "pool.csv"
    asked(golden(tmp_path), pool=file, **options)
    return file


def rows_of(file):
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def graded(file, grade_of):
    """Write a file of judgements again, each passage with the grade that its text is given."""
    rows = rows_of(file)
    with file.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, rows[0])
        writer.writeheader()
        writer.writerows(row | {"grade": grade_of(row["text"])} for row in rows)
    return file


def test_whoever_judges_sees_question_page_and_passage_and_not_who_found_it(mini, tmp_path):
    rows = rows_of(pooled(tmp_path))

    assert len(rows) >= 3
    assert {row["asked"] for row in rows} == {"Langs waar kan ik met mijn rolstoel naar binnen?"}
    assert all(row["title"] and row["text"] and row["grade"] == "" for row in rows)
    assert [row["passage"] for row in rows] == sorted(row["passage"] for row in rows)


def test_what_was_judged_to_answer_counts_in_the_place_of_the_labels(mini, tmp_path):
    file = graded(pooled(tmp_path), lambda text: 0 if "Dijkstraat" in text else 2)
    labelled, judged = tmp_path / "labelled.json", tmp_path / "judged.json"

    asked(golden(tmp_path), json=labelled)
    asked(golden(tmp_path), judged=file, json=judged)

    by_label, by_judgement = (
        json.loads(report.read_text(encoding="utf-8"))["stages"][ALL]
        for report in (labelled, judged)
    )
    assert (by_label["ndcg@10"], by_label["right first"]) == (1.0, 1.0)
    assert (by_judgement["recall@10"], by_judgement["right first"]) == (1.0, 0.0)
    assert by_judgement["ndcg@10"] < 1.0
    assert by_judgement["unjudged"] == 0


def test_what_nobody_judged_counts_as_wrong_and_is_counted(mini, tmp_path):
    chunk = Chunk.objects.filter(document__url=ACCESS, content__contains="Dijkstraat").first()
    file = tmp_path / "judged.csv"
    passage = fingerprint(ACCESS, chunk.content)
    file.write_text(f"question;passage;grade\ng-1;{passage};2\n", encoding="utf-8")
    report = tmp_path / "report.json"

    asked(golden(tmp_path), judged=file, json=report)

    found = json.loads(report.read_text(encoding="utf-8"))["stages"][ALL]
    assert found["recall@10"] == 1.0
    assert found["unjudged"] == len(rows_of(pooled(tmp_path))) - 1


def test_grades_stay_when_more_is_found(mini, tmp_path):
    file = graded(pooled(tmp_path), lambda text: 1)
    more = tmp_path / "more.csv"

    shown = asked(golden(tmp_path), judged=file, pool=more)

    assert "of which 0 lack a grade" in shown
    assert {row["grade"] for row in rows_of(more)} == {"1"}


def test_grades_of_what_is_not_found_now_and_of_other_questions_stay_too(mini, tmp_path):
    file = graded(pooled(tmp_path), lambda text: 2 if "Dijkstraat" in text else 0)
    before = rows_of(file)
    Chunk.objects.filter(document__url=ACCESS).update(is_enabled=False)
    with file.open("a", encoding="utf-8") as lines:
        lines.write("g-2,p0123456789abcdef,1,Een andere vraag?,Onthaal,=1+1\n")

    asked(golden(tmp_path), judged=file, pool=file)

    after = {(row["question"], row["passage"]): row for row in rows_of(file)}
    assert all(after[row["question"], row["passage"]] == row for row in before)
    other = after["g-2", "p0123456789abcdef"]
    assert (other["grade"], other["asked"], other["title"]) == ("1", "Een andere vraag?", "Onthaal")


def test_a_file_of_grades_is_not_written_over_by_mistake(mini, tmp_path):
    file = graded(pooled(tmp_path), lambda text: 2)
    before = file.read_bytes()

    with pytest.raises(CommandError, match="exists: give it as --judged too"):
        asked(golden(tmp_path), pool=file)
    with pytest.raises(CommandError, match="leave out --json"):
        asked(golden(tmp_path), pool=tmp_path / "more.csv", json=tmp_path / "report.json")

    assert file.read_bytes() == before
    assert not list(tmp_path.glob("*.partial"))


def test_a_passage_that_stands_twice_on_a_page_is_judged_once_and_known_twice(mini, tmp_path):
    chunk = Chunk.objects.filter(document__url=ACCESS, content__contains="Dijkstraat").first()
    other = Chunk.objects.exclude(document=chunk.document).first()
    Chunk.objects.filter(pk=other.pk).update(
        document=chunk.document, ordinal=99, content=chunk.content
    )

    file = graded(pooled(tmp_path), lambda text: 2)
    report = tmp_path / "report.json"
    asked(golden(tmp_path), judged=file, json=report)

    passages = [row["passage"] for row in rows_of(file)]
    assert len(passages) == len(set(passages))
    assert json.loads(report.read_text(encoding="utf-8"))["stages"][ALL]["unjudged"] == 0


def test_what_is_left_out_is_told(mini, tmp_path):
    file = tmp_path / "judged.csv"
    chunk = Chunk.objects.filter(document__url=ACCESS, content__contains="Dijkstraat").first()
    both = tmp_path / "both.jsonl"
    line = golden(tmp_path).read_text(encoding="utf-8").strip()
    both.write_text(f"{line}\n{line.replace('g-1', 'g-2')}\n", encoding="utf-8")
    here, gone = fingerprint(ACCESS, chunk.content), "p0123456789abcdef"
    file.write_text(f"question,passage,grade\ng-1,{here},2\ng-2,{here},1\ng-2,{gone},2\n", "utf-8")

    shown = asked(both, judged=file)

    assert "1 questions of which a judged passage answers." in shown
    assert "1 others have none and are left out." in shown
    assert "1 grades are of passages that stand on no page now." in shown


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


def test_judgements_of_other_pages_or_of_no_file_are_refused_in_a_sentence(mini, tmp_path):
    elsewhere = tmp_path / "judged.csv"
    elsewhere.write_text("question,passage,grade\ng-1,0123456789abcdef,2\n", encoding="utf-8")

    with pytest.raises(CommandError, match="No judged passage"):
        asked(golden(tmp_path), judged=elsewhere)
    elsewhere.write_text("question,passage,grade\ng-1,p0123456789abcdef,\n", encoding="utf-8")
    with pytest.raises(CommandError, match="No judged passage"):
        asked(golden(tmp_path), judged=elsewhere)
    with pytest.raises(CommandError, match="There is no file"):
        asked(golden(tmp_path), judged=tmp_path / "none.csv")
    with pytest.raises(CommandError, match="cannot be read: Is a directory"):
        asked(golden(tmp_path), judged=tmp_path)
    with pytest.raises(CommandError, match="there is no folder"):
        asked(golden(tmp_path), pool=tmp_path / "none" / "pool.csv")


def test_text_of_a_page_is_no_formula_of_a_spreadsheet(mini, tmp_path):
    Chunk.objects.filter(document__url=ACCESS).update(content="=rolstoel ingang Dijkstraat")

    texts = [row["text"] for row in rows_of(pooled(tmp_path))]

    assert "'=rolstoel ingang Dijkstraat" in texts


def evaluated(path, **options):
    report = path.with_name("report.json")
    call_command("evaluate", hospital="azm-mini", json=report, stdout=StringIO(), **options)
    return json.loads(report.read_text(encoding="utf-8"))["summary"]


def test_a_golden_run_measures_passages_by_what_was_judged_and_answers_as_before(mini, tmp_path):
    file, path = (
        graded(pooled(tmp_path), lambda text: 0 if "Dijkstraat" in text else 2),
        golden(tmp_path),
    )

    by_label, by_judgement = (
        evaluated(path, golden=path, **judged) for judged in ({}, {"judged": file})
    )

    assert by_label["ndcg@10"] == 1.0 > by_judgement["ndcg@10"] > 0.0
    assert by_judgement["pass_rate"] == by_label["pass_rate"]


def test_a_run_goes_on_with_the_judgements_that_it_began_with(mini, tmp_path):
    file, path = graded(pooled(tmp_path), lambda _: 2), golden(tmp_path)
    first = evaluated(path, golden=path, judged=file)

    assert evaluated(path, resume=Run.objects.latest("pk").pk) == first


def test_a_report_says_whose_labels_its_figures_rest_on(mini, tmp_path):
    file, path = graded(pooled(tmp_path), lambda _: 2), golden(tmp_path)
    evaluated(path, golden=path)
    evaluated(path, golden=path, judged=file)

    by_label, judged = Run.objects.order_by("pk")

    compared = reports.compare(*((run, services.results_of(run)) for run in (by_label, judged)))
    assert compared.settings == (("labels", None, "pool.csv"),)
    assert "pool.csv" in reports.markdown(compared.after)


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
    file = graded(pooled(tmp_path), lambda _: 2)

    judged, unjudged = relabelled(read_cases(both), read_judgements(file))

    assert judged.passages
    assert unjudged.passages == ()
