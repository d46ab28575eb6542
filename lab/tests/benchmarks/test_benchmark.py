"""`python -m lab benchmark` says how fast the product is, and leaves nothing behind."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from lab.benchmarks.agreement import Corpus, stemmed
from lab.benchmarks.report import as_json, lines
from lab.benchmarks.searches import TimingRow
from lab.benchmarks.words import LARGEST, enlarged
from lab.commands.benchmark import Command
from taxonomy.vocabulary import Kind
from tests.retrieval.index_builders import indexed
from tests.taxonomy.vocabularies import vocabulary
from zol.models import Hospital


def test_a_goal_is_met_or_missed_by_what_was_measured():
    rows = [TimingRow("understanding", 4.0, 9.0), TimingRow("suffix detector", 0.1, 2.5)]
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


@pytest.mark.django_db
def test_the_formula_counts_rare_words_and_short_chunks_more(hospital):
    indexed(hospital, "parking parking uur", "uur van bezoek", "uur")
    corpus = Corpus(frozenset(stemmed("parking uur")))

    [parking] = corpus.scores(stemmed("parking"))
    hours = corpus.scores(stemmed("uur"))
    assert parking > max(hours)
    assert len(set(hours)) > 1


@pytest.mark.django_db
def test_too_few_chunks_are_refused():
    with pytest.raises(CommandError, match="100 or more"):
        call_command(Command(), chunks=5)


@pytest.mark.slow
def test_every_part_is_measured_and_nothing_is_left(mini, tmp_path):
    before = set(Hospital.objects.values_list("slug", flat=True))
    file = tmp_path / "report.json"

    call_command(Command(), chunks=200, json=file)

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
