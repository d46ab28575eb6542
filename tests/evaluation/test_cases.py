"""Golden questions as plain values."""

import json

import pytest

from chat.behaviours import Behaviour
from evaluation.golden import Case, EarlierTurn, Label, as_json, from_json, read_cases, stored_cases
from taxonomy.packs.findings import PackRefused

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
    assert [bool(step.answer) for step in case.earlier] == [False, True]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        pytest.param(
            {"id": "a-1"}, r"golden\.jsonl:2:1: id: “a-1” stands already on line 1", id="id"
        ),
        pytest.param(
            {"expect": "smile"}, r"jsonl:2:\d+: expect: Input should be .answer.", id="behaviour"
        ),
        pytest.param(
            {"entities": ["", "x"]}, "entities: String should have at least 1", id="empty name"
        ),
        pytest.param(
            {"passages": ["x"]}, "passages: Input should be a dict", id="passage without quote"
        ),
        pytest.param(
            {"question": {"text": "x"}},
            "question: Field required|question: Input should be",
            id="no question in it",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, changed, sentence):
    path = file_of(tmp_path, LINE, LINE | {"id": "a-2"} | changed)

    with pytest.raises(PackRefused, match=sentence):
        read_cases(path)


def test_a_case_comes_back_from_json_as_it_was():
    assert from_json(json.loads(json.dumps(as_json(FULL)))) == FULL


def test_the_rows_of_a_hospital_are_the_cases_of_its_pack(mini):
    from tests.packs import MINI

    assert stored_cases() == read_cases(MINI / "golden.jsonl")
