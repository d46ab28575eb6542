"""Readers grade answers without knowing who gave them; what they think is read back with its doubt."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.grades import SheetEntry, agreement, report_of
from evaluation.intervals import wilson
from evaluation.reading import ExamItem, is_for, key_of, read_items

EXAM = [
    {"id": "one", "language": "nl", "question": "Waar kan ik parkeren?"},
    {"id": "two", "language": "fr", "turns": [{"question": "Quels sont les médecins ?"}, "Et où ?"]},
    {"id": "far", "hospital": "elsewhere", "language": "nl", "question": "Waar is de spoed?"},
]  # fmt: skip
HIDDEN = {"label", "version", "engine", "badge", "behaviour", "verified", "known", "id", "hospital"}


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read(*options):
    said = StringIO()
    call_command("evaluate", "--reading", *map(str, options), stdout=said)
    return said.getvalue()


def answers(number, **more):
    return [
        {"id": f"a{n}", "language": "nl", "question": f"Vraag {n}?", "answer": f"Antwoord {n}."} | more
        for n in range(number)
    ]  # fmt: skip


@pytest.mark.django_db
def test_two_versions_are_read_on_one_sheet_that_does_not_tell_them_apart(mini, tmp_path):
    sheet, exam = tmp_path / "sheet.jsonl", lines(tmp_path / "exam.jsonl", EXAM)
    before = lines(tmp_path / "before.jsonl", answers(3))

    read(sheet, "--golden", exam, "--label", "new")
    read(sheet, "--answers", before, "--label", "old")

    pages, key = rows_of(sheet), json.loads(key_of(sheet).read_text(encoding="utf-8"))
    assert [page["n"] for page in pages] == [entry["n"] for entry in key] == list(range(1, 7))
    assert {entry["label"] for entry in key} == {"new", "old"}
    assert not any(HIDDEN & page.keys() for page in pages)
    follow_up = next(page for page in pages if page["question"] == "Et où ?")
    assert follow_up["before"][0]["question"] == "Quels sont les médecins ?"
    assert "far" not in {entry["id"] for entry in key}
    twin = sheet.with_suffix(".md").read_text(encoding="utf-8")
    assert all(page["question"] in twin for page in pages)


@pytest.mark.django_db
def test_an_answer_stands_on_the_sheet_as_its_page_shows_it(mini, tmp_path):
    sheet, exam = tmp_path / "sheet.jsonl", lines(tmp_path / "exam.jsonl", EXAM[:1])
    read(sheet, "--golden", exam)

    (page,) = rows_of(sheet)
    assert "geen medisch advies" in page["answer"]
    assert all(source["url"] for source in page["sources"])


@pytest.mark.django_db
def test_the_same_answers_are_not_added_twice(mini, tmp_path):
    sheet, kept = tmp_path / "sheet.jsonl", lines(tmp_path / "kept.jsonl", answers(2))
    read(sheet, "--answers", kept)

    with pytest.raises(CommandError, match="give the others another --label"):
        read(sheet, "--answers", kept)


@pytest.mark.django_db
def test_a_reader_counts_who_agrees_with_graded_answers(mini, tmp_path):
    sheet = tmp_path / "sheet.jsonl"
    read(sheet, "--answers", lines(tmp_path / "kept.jsonl", answers(10)), "--label", "now")
    graded = answers(80, grade="A")
    read(sheet, "--calibration", lines(tmp_path / "graded.jsonl", graded), "--sample", "60")
    known = {e["n"]: e["known"] for e in json.loads(key_of(sheet).read_text(encoding="utf-8"))}
    pages = rows_of(sheet)
    assert len(pages) == 70
    good = lines(tmp_path / "an.jsonl", [page | {"grade": "B"} for page in pages])
    bad = lines(
        tmp_path / "bo.jsonl",
        [page | {"grade": "D" if known[page["n"]] and page["n"] % 2 else "A"} for page in pages],
    )

    said = read(sheet, good, bad, "--json", tmp_path / "read.json")

    report = json.loads((tmp_path / "read.json").read_text(encoding="utf-8"))
    assert (
        "Reader an: 70 graded; 1.000 (kappa 1.00, 60 answers) with graded answers, counts" in said
    )
    assert report["readers"]["an"]["counts"]
    assert not report["readers"]["bo"]["counts"]
    assert "together" not in report["labels"]["now"]
    assert report["labels"]["now"]["an"]["first questions"]["AB"] == [1.0, 0.7225, 1.0]


@pytest.mark.django_db
def test_text_that_the_asker_cannot_read_is_at_most_b(mini, tmp_path):
    sheet = tmp_path / "sheet.jsonl"
    read(sheet, "--answers", lines(tmp_path / "kept.jsonl", answers(4)))
    graded = [page | {"grade": "a", "unreadable": page["n"] == 1} for page in rows_of(sheet)]

    said = read(lines(sheet, graded), "--json", tmp_path / "read.json")

    report = json.loads((tmp_path / "read.json").read_text(encoding="utf-8"))
    shares = report["labels"]["answers"]["sheet"]["first questions"]
    assert (shares["A"][0], shares["AB"][0]) == (0.75, 1.0)
    assert "1 unreadable" in said


@pytest.mark.django_db
def test_what_is_no_grade_is_refused_with_its_line(mini, tmp_path):
    sheet = tmp_path / "sheet.jsonl"
    read(sheet, "--answers", lines(tmp_path / "kept.jsonl", answers(1)))
    copy = lines(tmp_path / "an.jsonl", [page | {"grade": "F"} for page in rows_of(sheet)])

    with pytest.raises(CommandError, match=r"an\.jsonl:1: “F” is no grade"):
        read(sheet, copy)


def test_several_readers_are_read_cautiously_too():
    key = [SheetEntry(n, str(n), "now", "h", "nl", badge=n == 1) for n in (1, 2, 3)]
    report = report_of({"an": {1: "A", 2: "B", 3: "E"}, "bo": {1: "C", 2: "B"}}, key)

    found = report["labels"]["now"]["together"]["first questions"]
    assert (found["A"][0], found["C"][0], found["E"][0]) == (0.0, 0.3333, 0.3333)
    assert found["badge_right"][0] == 0.0
    assert report["labels"]["now"]["bo"]["first questions"]["ungraded"] == 1
    assert report["agreement"][0]["grades"] == {"answers": 2, "raw": 0.5, "kappa": 0.3333}


def test_kappa_is_what_agreement_is_more_than_chance():
    # Cohen 1960 on the usual example: 20 and 15 of 50 the same, 5 and 10 not.
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15

    found = agreement(first, second)
    assert (found.raw, found.kappa) == (pytest.approx(0.7), pytest.approx(0.4))
    assert agreement([], []) is None


def test_a_share_of_none_still_has_an_interval():
    # Newcombe 1998, method 3.
    assert wilson(0, 20).high == pytest.approx(0.1611, abs=1e-4)
    assert wilson(81, 263).low == pytest.approx(0.2553, abs=1e-4)
    assert wilson(81, 263).high == pytest.approx(0.3662, abs=1e-4)
    assert wilson(0, 0) is None


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "x", "language": "nl"}, "expected"),
        ({"id": "x", "language": "xx", "question": "?"}, "language is one of"),
        ({"id": "x", "language": "nl", "question": "?", "at": "soon"}, "is no date and time"),
    ],
)
def test_an_exam_of_another_form_is_refused(tmp_path, row, told):
    with pytest.raises(Exception, match=told):
        read_items(lines(tmp_path / "exam.jsonl", [row]))


def test_a_question_names_its_hospital_or_is_for_all():
    assert is_for(ExamItem("a", "nl", ("?",)), "zol-demo")
    assert is_for(ExamItem("a", "nl", ("?",), "zol"), "zol-demo")
    assert not is_for(ExamItem("a", "nl", ("?",), "zo"), "zol-demo")
