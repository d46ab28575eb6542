"""`benchmark_retrieval` measures what trec_eval measures, and leaves nothing behind."""

from __future__ import annotations

import json
import random

import pytest
import pytrec_eval
from django.core.management import CommandError, call_command

from evaluation import figures
from lab.benchmarks import quality
from lab.benchmarks.corpus import Generator, throwaway_hospital
from lab.commands.benchmark_retrieval import Command
from retrieval.models import Chunk, Document
from zol.errors import BadInput
from zol.models import Hospital

PAGES = {
    "p1": (
        "Parkeren",
        "U parkeert uw auto op de grote parking naast de hoofdingang van het ziekenhuis.",
    ),
    "p2": ("Huidarts", "De huidarts behandelt eczeem en andere aandoeningen van uw huid."),
    "p3": ("Factuur", "U betaalt uw factuur binnen dertig dagen op onze rekening."),
}
QUESTIONS = {"q1": "Waar kan ik mijn auto parkeren?", "q2": "Wie behandelt mijn eczeem?"}


@pytest.fixture
def folder(tmp_path):
    """A small collection in BEIR's format."""
    place = tmp_path / "klein"
    (place / "qrels").mkdir(parents=True)
    corpus = [json.dumps({"_id": k, "title": t, "text": x}) for k, (t, x) in PAGES.items()]
    (place / "corpus.jsonl").write_text("\n".join(corpus) + "\n", encoding="utf-8")
    questions = [json.dumps({"_id": k, "text": x}) for k, x in QUESTIONS.items()]
    (place / "queries.jsonl").write_text("\n".join(questions) + "\n", encoding="utf-8")
    judged = "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq2\tp2\t1\n"
    (place / "qrels" / "test.tsv").write_text(judged, encoding="utf-8")
    return place


def test_measures_agree_with_trec_eval_on_random_runs():
    generator = random.Random(5)  # noqa: S311
    keys = [f"d{number}" for number in range(150)]
    for _ in range(200):
        relevance = {key: generator.randint(0, 3) for key in generator.sample(keys, 30)}
        ranking = generator.sample(keys, generator.randint(1, 150))
        run = {key: float(1000 - place) for place, key in enumerate(ranking)}
        evaluator = pytrec_eval.RelevanceEvaluator({"q": relevance}, {"ndcg_cut.10", "recall.100"})
        theirs = evaluator.evaluate({"q": run})["q"]

        assert quality.ndcg(ranking, relevance) == pytest.approx(theirs["ndcg_cut_10"])
        assert quality.recall(ranking, relevance) == pytest.approx(theirs["recall_100"])


@pytest.mark.parametrize("ranking", [[], ["x"]])
def test_a_question_without_relevant_documents_counts_as_nothing_found(ranking):
    assert quality.ndcg(ranking, {"a": 0}) == 0.0
    assert quality.recall(ranking, {"a": 0}) == 0.0


def test_a_percentile_is_interpolated():
    assert figures.percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.5
    assert figures.percentile([], 0.95) == 0.0


@pytest.mark.django_db
@pytest.mark.parametrize("more", [[], ["--chunked"]], ids=["whole", "chunked"])
def test_the_report_has_the_promised_form(folder, tmp_path, more):
    report = tmp_path / "report.json"

    call_command(Command(), str(folder), "--json", str(report), *more)

    found = json.loads(report.read_text())
    assert (found["dataset"], found["language"]) == ("klein", "nl")
    assert (found["documents"], found["queries"]) == (3, 2)
    assert set(found["lanes"]) == {"keyword", "dense", "hybrid"}
    for lane in found["lanes"].values():
        assert set(lane) == {"ndcg@10", "recall@100", "p50_ms", "p95_ms"}
        assert lane["ndcg@10"] == 1.0


@pytest.mark.django_db
def test_only_the_lanes_asked_for_are_measured(folder, tmp_path):
    report = tmp_path / "report.json"

    call_command(Command(), str(folder), "--lanes", "keyword", "--json", str(report))

    assert list(json.loads(report.read_text())["lanes"]) == ["keyword"]


@pytest.mark.django_db
def test_nothing_is_left_behind(folder):
    before = Hospital.objects.count()

    call_command(Command(), str(folder), "--lanes", "keyword")

    assert Hospital.objects.count() == before


@pytest.mark.django_db
def test_nothing_is_left_behind_by_an_interruption():
    before = Hospital.objects.count()

    with pytest.raises(KeyboardInterrupt), throwaway_hospital("nl") as hospital:
        page = Document.objects.create(hospital=hospital, path="p", title="t", status="ready")
        Chunk.objects.create(hospital=hospital, document=page, ordinal=0, content="x")
        raise KeyboardInterrupt

    assert Hospital.objects.count() == before


@pytest.mark.django_db
@pytest.mark.parametrize("missing", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_folder_that_lacks_a_file_is_told_so(folder, missing):
    (folder / missing).unlink()

    with pytest.raises(CommandError, match=missing.rpartition("/")[2]):
        call_command(Command(), str(folder))


def test_a_broken_line_is_named(folder):
    (folder / "corpus.jsonl").write_text('{"_id": "1", "text": "a"}\n{oops\n', encoding="utf-8")

    with pytest.raises(BadInput, match=r"corpus\.jsonl:2"):
        quality.read(folder)


@pytest.mark.django_db
def test_an_unknown_lane_is_refused(folder):
    with pytest.raises(CommandError, match="There is no lane magic"):
        call_command(Command(), str(folder), "--lanes", "magic")


def test_the_lanes_are_those_of_the_contract():
    assert list(quality.LANES) == ["keyword", "dense", "hybrid"]


def test_a_generated_corpus_is_the_same_every_time_and_clustered():
    one, other = Generator(200, dimensions=64), Generator(200, dimensions=64)
    chunks, again = list(one.written(0, 40)), list(other.written(0, 40))

    assert [each.text for each in chunks] == [each.text for each in again]
    near = float(chunks[0].vector @ chunks[1].vector)
    far = float(chunks[0].vector @ chunks[35].vector)
    assert near > far + 0.2
    assert all(3 <= len(each.text.split()) <= 8 for each in one.questions(30))
