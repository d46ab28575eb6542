"""Golden questions as plain values, and their labels completed by what people judged."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat.behaviours import Behaviour
from evaluation import reports, services
from evaluation.cases import (
    CATEGORIES,
    Case,
    EarlierTurn,
    Label,
    as_json,
    digest,
    fingerprint,
    from_json,
    read_cases,
    read_judgements,
    relabelled,
    select,
    stored_cases,
)
from evaluation.models import Run
from evaluation.packs.findings import PackRefused
from retrieval.models import Chunk
from zol.errors import BadInput

LINE = {"id": "a-1", "category": "navigation", "language": "nl", "question": "Waar?"} | {
    "expect": "answer"
}
FULL = Case(
    key="a-1",
    category="followup_chain",
    language="tr",
    question="Peki nerede?",
    earlier=(EarlierTurn("Kim?"), EarlierTurn("Ne?", "Cardiologie.", ("https://a.example/c",))),
    expect=Behaviour.REFUSE_MEDICAL,
    intent="doctor_lookup",
    entities=("Cardiologie|Kardiyoloji",),
    sources=("https://a.example/c",),
    must_not=("Urologie",),
    passages=(Label("https://a.example/c", "op de derde verdieping"),),
    risk="high",
)


def file_of(tmp_path, *lines):
    path = tmp_path / "golden.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    return path


def test_there_are_the_29_categories_of_the_decision():
    assert len(set(CATEGORIES)) == 29


def test_a_line_is_a_case(tmp_path):
    path = file_of(
        tmp_path, LINE | {"entities": ["Ingang A"], "passages": [{"url": "u", "quote": "q"}]}
    )

    assert read_cases(path) == (
        Case(
            "a-1", "navigation", "nl", "Waar?", entities=("Ingang A",), passages=(Label("u", "q"),)
        ),
    )


def test_the_last_turn_is_judged_and_earlier_ones_are_asked_unless_answered(tmp_path):
    answered = {"question": "Ne?", "answer": "Cardiologie.", "citations": ["https://a.example/c"]}
    line = LINE | {"turns": ["Kim?", answered, "Peki nerede?"]}
    del line["question"]

    case = read_cases(file_of(tmp_path, line))[0]

    assert case.question == "Peki nerede?"
    assert case.earlier == FULL.earlier
    assert [step.is_answered for step in case.earlier] == [False, True]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        pytest.param(
            {"id": "a-1"}, r"golden\.jsonl:2:1: id: “a-1” stands already on line 1", id="id"
        ),
        pytest.param(
            {"expect": "smile"}, r"jsonl:2:\d+: expect: “smile” is none of", id="behaviour"
        ),
        pytest.param({"entities": ["", "x"]}, "entities: every value is a text", id="empty name"),
        pytest.param({"passages": ["x"]}, "passages: every value is", id="passage without quote"),
        pytest.param(
            {"question": {"text": "x"}}, "turns: a turn is a text", id="no question in it"
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, changed, sentence):
    path = file_of(tmp_path, LINE, LINE | {"id": "a-2"} | changed)

    with pytest.raises(PackRefused, match=sentence):
        read_cases(path)


def test_a_file_that_is_not_there_is_said_to_be(tmp_path):
    with pytest.raises(BadInput, match="No such file"):
        read_cases(tmp_path / "none.jsonl")


def test_a_case_comes_back_from_json_as_it_was():
    assert from_json(json.loads(json.dumps(as_json(FULL)))) == FULL


def test_questions_are_selected_by_category_and_language():
    kinds = enumerate([("a", "nl"), ("a", "fr"), ("b", "nl")])
    cases = [Case(str(n), category, language, "?") for n, (category, language) in kinds]

    assert [case.key for case in select(cases, category="a")] == ["0", "1"]
    assert [case.key for case in select(cases, language="nl", category="b")] == ["2"]
    assert len(select(cases)) == 3


def test_another_expectation_is_another_set():
    changed = Case("a-1", "navigation", "nl", "Waar?", must_not=("daar",))

    assert digest([FULL]) == digest([from_json(as_json(FULL))])
    assert digest([FULL]) != digest([FULL, changed]) != digest([changed])


def test_the_rows_of_a_hospital_are_the_cases_of_its_pack(mini):
    from tests.packs import MINI

    assert stored_cases() == read_cases(MINI / "golden.jsonl")


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
    file, path = (graded(tmp_path, lambda text: 0 if "Dijkstraat" in text else 2), golden(tmp_path))

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
