"""What traits of a statement are worth is fitted on golden questions, and kept only when asked."""

from __future__ import annotations

import json
from io import StringIO
from math import log

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from chat.answering.quotation import weights
from chat.answering.quotation.features import TRAITS
from chat.answering.quotation.weights import FILE, WEIGHTS, WEIGHTS_BY_WORDS, read, write
from evaluation.lab.statements.candidates import LabelledQuestion
from evaluation.lab.statements.figures import figures, fit, judge
from evaluation.management.commands import fit_statements
from zol.errors import BadInput


def asked(*options, **named):
    shown = StringIO()
    call_command("fit_statements", "--hospital", "azm-mini", *options, stdout=shown, **named)
    return shown.getvalue()


def questions(trait, *, count=30):
    """Questions of which the one statement that answers stands out by one trait."""
    chance = np.random.default_rng(7)
    place = tuple(TRAITS).index(trait)
    for number in range(count):
        traits = chance.normal(size=(12, len(TRAITS)))
        answers = np.zeros(12)
        answers[number % 12] = 1.0
        traits[number % 12, place] += 4
        yield LabelledQuestion(str(number), traits, answers, answers > 0, is_answered=True)


def test_the_trait_by_which_answers_stand_out_is_worth_most():
    weights = fit(tuple(questions("figure")), ("figure", "covers"))

    assert max(weights.answers, key=lambda name: weights.answers[name]) == "figure"
    assert weights.surety["figure"] > abs(weights.surety["covers"])
    found = figures([judge(each, weights) for each in questions("figure", count=12)])
    assert found.first > 0.8
    assert found.auc > 0.8


def test_a_cell_of_the_matrix_moves_what_is_quoted_by_two_logits():
    """From 0.55 to 1.30, in the choice of quotations and in the order of passages alike."""
    for worth in (WEIGHTS.answers, WEIGHTS.reads, WEIGHTS_BY_WORDS.answers):
        assert worth["page_weight"] * log(1.30 / 0.55) >= 2


def test_weights_that_are_written_are_read_again(tmp_path):
    file = tmp_path / "weights.csv"

    write(WEIGHTS, file)

    assert read(file) == WEIGHTS
    assert file.read_text(encoding="utf-8") == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("answers,charm,1.0", "line 2: there is no “charm”"),
        ("answers,covers,much", "line 2: “much” is not a number"),
        ("answers,covers,inf", "line 2: “inf” is not a number"),
        ("answers,covers", "line 2: 3 values"),
        ("answers,covers,1.0\nanswers,covers,2.0", "line 3: “covers” stands twice"),
        ("answers,covers,1.0", "it needs"),
    ],
)
def test_a_file_of_weights_with_a_mistake_is_refused_by_line(tmp_path, row, why):
    file = tmp_path / "weights.csv"
    file.write_text(f"part,trait,value\n{row}\n", encoding="utf-8")

    with pytest.raises(BadInput, match=why):
        read(file)


@pytest.mark.django_db
def test_what_statements_speak_for_their_passages_stays_when_quotations_are_fitted_anew(
    mini, tmp_path, monkeypatch
):
    monkeypatch.setattr(fit_statements, "LEAST", 0)
    monkeypatch.setattr(weights, "FILE", tmp_path / "weights.csv")

    asked("--write")

    assert read(weights.FILE).reads == WEIGHTS.reads
    assert WEIGHTS.reads


@pytest.mark.django_db
def test_labelled_questions_are_asked_and_the_weights_stay_as_they_are(mini):
    before = FILE.read_bytes()

    shown = asked()

    assert "present weights" in shown
    assert "fitted without these questions" in shown
    assert "page_alike" in shown
    assert "Nothing was changed" in shown
    assert FILE.read_bytes() == before


@pytest.mark.django_db
def test_a_check_fits_nothing(mini):
    shown = asked("--check")

    assert "present weights" in shown
    assert "fitted" not in shown


@pytest.mark.django_db
def test_weights_of_a_handful_of_questions_are_not_kept(mini):
    before = FILE.read_bytes()

    with pytest.raises(CommandError, match="questions are too few to keep weights of"):
        asked("--write")

    assert FILE.read_bytes() == before


@pytest.mark.django_db
def test_without_labelled_questions_there_is_nothing_to_fit_on(mini, tmp_path):
    file = tmp_path / "golden.jsonl"
    question = {"id": "g-1", "category": "doctor_list", "language": "nl", "expect": "answer"}
    file.write_text(json.dumps(question | {"question": "Welke oogartsen werken hier?"}) + "\n")

    with pytest.raises(CommandError, match="No golden question of azm-mini is labelled"):
        asked("--golden", f"azm-mini={file}")


@pytest.mark.django_db
def test_questions_are_given_with_the_hospital_that_they_are_for(mini):
    with pytest.raises(CommandError, match="give SLUG=FILE, of one of azm-mini"):
        asked("--golden", "golden.jsonl")
