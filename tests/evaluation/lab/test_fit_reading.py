"""What the best statement of a passage speaks for it is fitted on passages that answer."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from chat.engines.embedded import weights as kept
from chat.engines.embedded.traits import TRAITS
from chat.engines.embedded.weights import WEIGHTS
from evaluation.cases import Case, Label, read_cases
from evaluation.configurations import USUAL
from evaluation.interview import Interview
from evaluation.lab.statements.reading import (
    HELD,
    Read,
    figures,
    fit,
    left_out,
    parts_of,
    read,
    smoothly,
)
from evaluation.management.commands import fit_ranking
from retrieval.tuning import RetrievalTuning
from tests.evaluation.lab.test_fit_ranking import QUESTION
from zol.errors import BadInput

CASE = Case("g-1", "contamination", "nl", "?", passages=(Label("https://azm.example", "…"),))
NOTHING = dict.fromkeys(TRAITS, 0.0)


@pytest.fixture
def golden(tmp_path):
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps(QUESTION) + "\n", encoding="utf-8")
    return path


def questions(*standing_out, count=80):
    """Questions with eight passages of three statements; one statement of the right one has some
    traits that the others lack."""
    chance = np.random.default_rng(5)
    for number in range(count):
        traits = chance.normal(scale=0.3, size=(24, len(TRAITS)))
        right = number % 8
        for trait in standing_out:
            traits[3 * right + number % 3, list(TRAITS).index(trait)] += 2
        yield Read(
            CASE, tuple(range(8)), {right: frozenset({0})}, traits,
            np.repeat(np.arange(8), 3), np.zeros(8), 0.57,
        )  # fmt: skip


def test_what_one_statement_of_a_passage_that_answers_has_speaks_for_it():
    asked = list(questions("figure"))

    worth = fit(asked, NOTHING)

    assert worth["figure"] > 1.0
    assert max(abs(worth[name]) for name in TRAITS if name != "figure") < worth["figure"] / 2
    assert figures(asked, worth) > figures(asked, NOTHING)


def test_what_a_patient_sees_and_a_judge_reads_past_stays_as_it_is():
    worth = fit(list(questions("third_language", "age")), NOTHING | {"third_language": -2.0})

    assert {name: worth[name] for name in HELD} == dict.fromkeys(HELD, 0.0) | {
        "third_language": -2.0
    }


def test_a_handful_of_questions_moves_little():
    few = fit(list(questions("figure", count=3)), NOTHING)
    many = fit(list(questions("figure")), NOTHING)

    assert 0 < few["figure"] < many["figure"] / 3


def test_a_passage_that_says_nothing_comes_after_those_that_do():
    (one,) = questions("figure", count=1)
    silent = replace(
        one,
        chunks=(*one.chunks, 8),
        labelled={8: frozenset({0})},
        speaks=np.append(one.speaks, 0.0),
    )

    gain, recall = figures([silent], NOTHING | {"figure": 1.0})

    assert recall == 1.0
    assert gain == pytest.approx(1 / np.log2(10))


def test_the_slope_is_that_of_what_is_minimised_also_where_a_passage_says_nothing():
    (one,) = questions("figure", count=1)
    silent = replace(one, chunks=(*one.chunks, 8), speaks=np.append(one.speaks, 0.0))
    chance = np.random.default_rng(7)
    worth = chance.normal(size=len(TRAITS))
    _, slope = smoothly(silent, worth)

    for trait in range(len(TRAITS)):
        step = np.zeros(len(TRAITS))
        step[trait] = 1e-6
        up, down = (smoothly(silent, worth + sign * step)[0] for sign in (1, -1))
        assert (up - down) / 2e-6 == pytest.approx(slope[:, trait], abs=1e-5)


def test_questions_that_share_an_answer_are_left_out_together():
    answers = [{1}, {1, 2}, {2}, {3}, {3}, {4}, {5}, set(), set()]

    part = parts_of([{("one", answer) for answer in own} for own in answers]).tolist()

    assert part[0] == part[1] == part[2]
    assert part[3] == part[4]
    assert sorted(part.count(number) for number in set(part)) == [1, 1, 2, 2, 3]


def test_too_few_answers_leave_nothing_to_compare_with():
    asked = [replace(each, labelled={1: frozenset({0})}) for each in questions("figure")]

    assert left_out({"one": asked}, NOTHING) == {}


def test_each_question_is_also_ranked_by_weights_that_did_not_see_it():
    found = left_out(
        {"one": list(questions("figure")), "other": list(questions("figure"))}, NOTHING
    )

    assert set(found) == {"one", "other"}
    assert all(gain > 0.8 and recall == 1.0 for gain, recall in found.values())


def test_without_a_passage_that_answers_there_is_nothing_to_fit_on():
    (one,) = questions("figure", count=1)

    with pytest.raises(BadInput, match="nothing to fit on"):
        fit([replace(one, labelled={})], NOTHING)


def test_what_is_read_of_real_pages_ranks_them_as_the_pipeline_does(mini, golden):
    (case,) = read_cases(golden)
    interview = Interview("nl", USUAL)
    passages = interview.ranked(case, ()).passages

    (found,) = read([case], interview, RetrievalTuning())

    assert found.chunks == tuple(each.chunk_id for each in passages)
    assert found.labelled.keys() & set(found.chunks)
    in_force = WEIGHTS.reads or WEIGHTS.answers
    odds = np.full(len(passages), -np.inf)
    np.maximum.at(
        odds, found.holder, found.traits @ np.array([in_force.get(n, 0.0) for n in TRAITS])
    )
    counts = found.speaks + found.voice * odds
    assert np.argsort(-counts, kind="stable").tolist() == list(range(len(passages)))


def test_the_command_tells_both_fits_and_changes_nothing(mini, golden):
    before = kept.FILE.read_bytes()

    shown = called(golden)

    assert "voices in force" in shown
    assert "as quotations are chosen" in shown
    assert "fitted on all of these" in shown
    assert kept.FILE.read_bytes() == before


def test_too_few_questions_are_not_kept(mini, golden):
    with pytest.raises(
        CommandError, match="1 questions with a passage that answers are too few to keep"
    ):
        called(golden, "--write")


def test_enough_questions_are_kept_beside_what_quotations_are_chosen_by(
    mini, golden, tmp_path, monkeypatch
):
    monkeypatch.setattr(fit_ranking, "LEAST", 1)
    monkeypatch.setattr(kept, "FILE", tmp_path / "weights.csv")

    shown = called(golden, "--write")

    assert "Written to weights.csv" in shown
    written = kept.read(kept.FILE)
    assert written.answers == {name: round(WEIGHTS.answers[name], 2) for name in WEIGHTS.answers}
    assert written.reads is not None


def test_judgements_count_in_the_place_of_labels(mini, golden, tmp_path):
    pool = tmp_path / "pool.csv"
    call_command("ranking", hospital="azm-mini", golden=golden, pool=pool, stdout=StringIO())
    with pool.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    with pool.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, rows[0])
        writer.writeheader()
        writer.writerows(row | {"grade": 2} for row in rows)

    shown = called(golden, "--judged", f"azm-mini={pool}")

    (line,) = (row for row in shown.splitlines() if row.startswith("as quotations are chosen"))
    assert line.split()[-2:] == ["1.000", "1.000"]
    with pytest.raises(CommandError, match="--judged elsewhere=x: give SLUG=FILE"):
        called(golden, "--judged", "elsewhere=x")


def called(golden, *options):
    shown = StringIO()
    chosen = ("--hospital", "azm-mini", "--golden", f"azm-mini={golden}")
    call_command("fit_ranking", *chosen, *options, stdout=shown)
    return shown.getvalue()
