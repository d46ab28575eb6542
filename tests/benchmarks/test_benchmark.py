"""`manage.py benchmark` says how fast the product is, and leaves nothing behind."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from evaluation.lab.benchmarks import among
from evaluation.lab.benchmarks.agreement import Corpus
from evaluation.lab.benchmarks.among import Neighbour, sizes
from evaluation.lab.benchmarks.report import among_as_json, as_json, lines
from evaluation.lab.benchmarks.searches import Row
from evaluation.lab.benchmarks.words import LARGEST, enlarged
from retrieval.analysis import Analyzer
from taxonomy.kinds import Kind
from tests.retrieval.index_builders import indexed
from tests.taxonomy.vocabularies import vocabulary
from zol.models import Hospital


def test_a_goal_is_met_or_missed_by_what_was_measured():
    rows = [Row("understanding", 4.0, 9.0), Row("suffix detector", 0.1, 2.5)]
    found = as_json(rows, chunks=500, recall=1.0, agreement=0.99)

    assert found["rows"]["understanding"]["met"]
    assert not found["rows"]["suffix detector"]["met"]
    assert any("0.990 (goal 1)" in line for line in lines(found))


def test_a_hospital_is_enlarged_with_names_that_nobody_bears():
    small = vocabulary()
    large = enlarged(small, 10)

    assert len({thing.key for thing in large.things}) == len(large.things)
    for kind, most in LARGEST.items():
        if any(small.of_kind(kind)):
            assert len(list(large.of_kind(kind))) == most * 10
    assert set(small.of_kind(Kind.DEPARTMENT)) <= set(large.of_kind(Kind.DEPARTMENT))


def test_hospitals_among_others_are_of_every_size():
    assert sizes(10, 10_000)[:3] == (100, 167, 278)
    assert sizes(10, 10_000)[-1] == 10_000
    assert sizes(1, 500) == (500,)


def test_a_hospital_among_others_must_find_what_is_nearest_and_in_time():
    fast = Neighbour(100, Row("fast", 2.0, 4.0), 1.0, 1.0)
    slow = Neighbour(200, Row("slow", 2.0, 40.0), 1.0, 1.0)
    blind = Neighbour(300, Row("blind", 2.0, 4.0), 0.6, 1.0)
    found = among_as_json([fast, slow, blind])

    assert [row["met"] for row in found["rows"].values()] == [True, False, False]
    assert any("slow" in line and "missed" in line for line in lines(found))


@pytest.mark.django_db
def test_the_formula_counts_rare_words_and_short_chunks_more(hospital):
    indexed(hospital, "parking parking uur", "uur van bezoek", "uur")
    corpus = Corpus(Analyzer("nl"), frozenset({"parking", "uur"}))

    [parking] = corpus.scores(["parking"])
    hours = corpus.scores(["uur"])
    assert parking > max(hours)
    assert len(set(hours)) > 1


@pytest.mark.django_db
def test_too_few_chunks_are_refused():
    with pytest.raises(CommandError, match="100 or more"):
        call_command("benchmark", chunks=5)


def test_hospitals_of_one_size_are_told_each() -> None:
    equal = Neighbour(100, Row("hybrid, 100 chunks", 2.0, 4.0), 1.0, 1.0)

    assert len(among_as_json([equal, equal])["rows"]) == 2


@pytest.mark.django_db
def test_no_hospital_or_more_than_a_database_holds_is_refused():
    with pytest.raises(CommandError, match="from 1 to 100"):
        call_command("benchmark", chunks=200, hospitals=0)


@pytest.mark.slow
def test_hospitals_that_share_a_database_each_find_their_own_and_are_removed(mini, tmp_path):
    before = set(Hospital.objects.values_list("slug", flat=True))
    file = tmp_path / "report.json"

    call_command("benchmark", chunks=200, hospitals=3, json=file)

    found = json.loads(file.read_text())
    assert [row["chunks"] for row in found["rows"].values()] == list(among.sizes(3, 200))
    assert all(row["dense_recall"] == 1.0 for row in found["rows"].values())
    assert all(row["bm25_agreement"] == 1.0 for row in found["rows"].values())
    assert set(Hospital.objects.values_list("slug", flat=True)) == before


@pytest.mark.slow
def test_every_part_is_measured_and_nothing_is_left(mini, tmp_path):
    before = set(Hospital.objects.values_list("slug", flat=True))
    file = tmp_path / "report.json"

    call_command("benchmark", chunks=200, json=file)

    found = json.loads(file.read_text())
    assert found["bm25_agreement"] == 1.0
    assert {
        "hybrid, one statement",
        "resolving, ten times the size",
        "resolving, misspelt, ten times",
        "understanding",
        "suffix detector",
        "whole turn",
        "from boosts to assembly",
        "first words over a socket",
        "answer given again over a socket",
    } <= found["rows"].keys()
    assert set(Hospital.objects.values_list("slug", flat=True)) == before
