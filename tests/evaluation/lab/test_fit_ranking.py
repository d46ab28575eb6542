"""How loudly factors speak for a passage is fitted on labelled passages."""

from __future__ import annotations

import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from evaluation.cases import read_cases
from evaluation.configurations import USUAL
from evaluation.interview import Interview
from evaluation.lab.passages import PRIOR, TABLED, Ranked, figures, fit, present, read, without
from retrieval.tuning import RetrievalTuning
from zol.errors import BadInput

QUESTION = {
    "id": "g-1",
    "category": "contamination",
    "language": "nl",
    "question": "Langs waar kan ik met mijn rolstoel naar binnen?",
    "expect": "answer",
    "passages": [
        {
            "url": "https://www.azm-mini.example/praktisch/bereikbaarheid",
            "quote": "De ingang aan de Dijkstraat is toegankelijk met een rolstoel.",
        }
    ],
}


@pytest.fixture
def golden(tmp_path):
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps(QUESTION) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def case(golden):
    return read_cases(golden)[0]


def called(*options):
    shown = StringIO()
    call_command("fit_ranking", "--hospital", "azm-mini", *options, stdout=shown)
    return shown.getvalue()


def questions(case, speaker, *, count=60):
    """Questions of which the labelled passage stands out by one factor."""
    chance = np.random.default_rng(7)
    column = 1 + tuple(PRIOR).index(speaker)
    for number in range(count):
        speaks = chance.normal(scale=0.3, size=(12, 1 + len(PRIOR)))
        right = number % 12
        speaks[right, column] += 1
        yield Ranked(case, tuple(range(12)), {right: frozenset({0})}, speaks)


def test_the_factor_by_which_labelled_passages_stand_out_speaks_louder(case):
    asked = list(questions(case, "answer_form_voice"))
    voices = fit(asked)

    assert voices["answer_form_voice"] > 1.2 > voices["category_voice"]
    assert figures(asked, voices) > figures(asked, TABLED)


def test_the_language_of_a_page_counts_as_before_whatever_judges_read_past(case):
    asked = list(questions(case, "language_voice"))

    assert fit(asked)["language_voice"] == 1.0
    assert fit(asked, TABLED | {"language_voice": 2.5})["language_voice"] == 2.5


def test_what_stays_counts_among_all_that_is_not_fitted():
    speaks = np.zeros((2, 1 + len(PRIOR)))
    language = 1 + tuple(PRIOR).index("language_voice")
    speaks[:, 0], speaks[0, language] = 0.3, 0.2

    left = without(speaks, {"language_voice": 2.5})

    assert left[:, 0].tolist() == pytest.approx([0.8, 0.3])
    assert not left[:, 1:].any()
    assert speaks[0, language] == 0.2


def test_a_handful_of_questions_moves_voices_less_than_many_do(case):
    few, many = (
        fit(list(questions(case, "answer_form_voice", count=count)))["answer_form_voice"]
        for count in (3, 60)
    )

    assert TABLED["answer_form_voice"] < few < many
    assert few < 2.0  # Were nothing held, it would be beyond 10.


def test_what_was_recorded_tells_the_order_that_the_pipeline_gave(mini, case):
    interview, tuning = Interview("nl", USUAL), RetrievalTuning()

    asked = list(filter(None, read([case], interview, tuning)))

    assert asked
    for each in asked:
        places = each.speaks @ np.array([1.0, *_logged(present(tuning)).values()])
        assert list(places) == pytest.approx(sorted(places, reverse=True), abs=1e-9)


def _logged(voices):
    return voices | {"opening_boost": float(np.log(voices["opening_boost"]))}


def test_nothing_labelled_gives_nothing_to_fit_on(case):
    with pytest.raises(BadInput, match="nothing to fit on"):
        fit([Ranked(case, (1,), {}, np.zeros((1, 1 + len(PRIOR))))])


def test_the_command_shows_figures_and_voices(mini, golden):
    shown = called("--golden", f"azm-mini={golden}")

    assert "Fewer than 100 questions" in shown
    assert "voices in force" in shown
    assert "fitted on all of these" in shown
    assert all(name in shown for name in PRIOR)


def test_without_labelled_passages_there_is_nothing_to_rank(mini, tmp_path):
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps(QUESTION | {"passages": []}) + "\n", encoding="utf-8")

    with pytest.raises(CommandError, match="No golden question of azm-mini has labelled"):
        called("--golden", f"azm-mini={path}")


def test_a_file_for_another_hospital_is_refused(mini):
    with pytest.raises(CommandError, match="SLUG=FILE"):
        called("--golden", "elsewhere=golden.jsonl")
