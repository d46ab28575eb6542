"""A run asks every golden question once through the real pipeline, and can be taken up when killed."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation import runs
from evaluation.golden import Case, Label, as_json, select, stored_cases
from evaluation.interview import labelled_chunks
from evaluation.models import Run
from evaluation.reports import flags_of
from evaluation.tasks import ask_case
from retrieval.models import CategoryKeyword, Chunk
from taxonomy.publishing.live import forget_snapshots, live_snapshot
from tests.taxonomy.releases import publish_draft

pytestmark = pytest.mark.django_db


def evaluate(*options, **more):
    said = StringIO()
    call_command("evaluate", *options, stdout=said, **more)
    return said.getvalue()


def evaluated(file, *options, **more):
    evaluate("--json", str(file), *options, **more)
    return json.loads(file.read_text(encoding="utf-8"))


def test_every_question_is_asked_and_told(mini, tmp_path):
    said = evaluate("--json", str(tmp_path / "run.json"))

    report = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    run = Run.objects.get()
    assert [result["id"] for result in report["results"]] == [f"mini-00{n}" for n in range(1, 7)]
    assert report.keys() >= {"summary", "categories", "languages", "versions", "results"}
    assert report["summary"].keys() >= {"pass_rate", "refusal_accuracy", "ndcg@10", "p95_ms"}
    roster = report["results"][2]
    assert roster.keys() >= {"passed", "recall", "behaviour", "intent", "citations", "certainty"}
    # Nothing is stood in for: what passes was understood, searched, composed and cited.
    assert roster["passed"]
    assert "Luc Van der Aa" in roster["answer"]
    assert {"input_processing", "retrieval", "generation", "total"} <= roster["timings_ms"].keys()
    assert report["results"][5]["behaviour"] == "refuse_medical"
    assert report["summary"]["questions"] == 6
    assert set(report["languages"]) == {"nl", "fr", "en"}
    assert run.state == Run.State.FINISHED
    assert run.summary["summary"] == report["summary"]
    assert "contamination" in said


def test_earlier_turns_are_really_asked(mini):
    case = select(stored_cases(), category="follow_up")[0]
    alone = Case("alone", "follow_up", "nl", case.question)
    run = runs.start_run([case, alone], flags=flags_of([]))

    runs.ask(run, case)
    runs.ask(run, alone)

    together, apart = run.results.order_by("pk")
    assert together.data["answer"] != apart.data["answer"]
    assert "Heide" in together.data["answer"]


def test_a_killed_run_goes_on_where_it_stopped(mini, tmp_path):
    cases = stored_cases()
    run = runs.start_run(cases, flags=flags_of([]))
    runs.ask(run, cases[0])
    runs.ask(run, cases[3])
    kept = set(run.results.values_list("pk", flat=True))
    Run.objects.filter(pk=run.pk).update(versions=run.versions | {"corpus": -1})
    # Not on another state of the product.
    with pytest.raises(CommandError, match="corpus"):
        evaluate("--resume", str(run.pk))
    Run.objects.filter(pk=run.pk).update(versions=run.versions)

    report = evaluated(tmp_path / "run.json", "--resume", str(run.pk))

    assert kept < set(run.results.values_list("pk", flat=True))
    assert [result["id"] for result in report["results"]] == [case.key for case in cases]
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED


def test_a_run_answers_from_the_version_that_it_began_with(mini):
    cases = stored_cases()[:2]
    run = runs.start_run(cases, flags=flags_of([]))
    runs.ask(run, cases[0])
    begun = live_snapshot().version
    CategoryKeyword.objects.create(
        hospital=mini, category="practical", language="nl", keyword="zonnewijzer"
    )
    publish_draft(mini)
    # What was live is believed for a moment longer.
    forget_snapshots()

    runs.ensure_resumable(run, cases)
    runs.ask(run, cases[1])

    assert live_snapshot().version > begun
    assert [result.data["version"] for result in run.results.all()] == [begun, begun]


def test_a_question_asked_twice_has_one_result(mini):
    case = stored_cases()[0]
    run = runs.start_run([case], flags=flags_of([]))

    ask_case(mini.pk, run.pk, as_json(case))
    ask_case(mini.pk, run.pk, as_json(case))
    runs.ask(run, case)

    assert run.results.count() == 1


def test_a_file_of_questions_can_be_asked_instead(mini, tmp_path):
    line = {
        "id": "own-1", "category": "x", "language": "nl", "question": "Waar is Longziekten?",
        "expect": "answer", "entities": ["Oever"],
    }  # fmt: skip
    (tmp_path / "own.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")

    report = evaluated(tmp_path / "run.json", "--golden", str(tmp_path / "own.jsonl"))

    assert [(result["id"], result["passed"]) for result in report["results"]] == [("own-1", True)]


def test_a_switch_reaches_the_pipeline(mini, tmp_path):
    evaluated(tmp_path / "run.json", "--flag", "boosts=off", "--category", "contamination")

    run = Run.objects.get()
    assert run.flags == {"cache": False, "model": False, "boosts": False}
    assert "boost" not in run.results.get().data["timings_ms"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        pytest.param(["--flag", "turbo=on"], "There is no switch “turbo”", id="unknown switch"),
        pytest.param(
            ["--category", "nothing"],
            r"No golden question matches|Geen enkele referentievraag",
            id="none left",
        ),
        pytest.param(["--resume", "999999"], "There is no run 999999", id="unknown run"),
    ],
)
def test_what_cannot_be_done_is_said(mini, options, sentence):
    with pytest.raises(CommandError, match=sentence):
        evaluate(*options)
    assert not Run.objects.exists()


def test_labelled_passages_are_looked_up_in_the_searchable_corpus(mini):
    chunk = Chunk.objects.filter(document__path="praktisch/bezoek.html").first()
    words = " ".join(chunk.content.split()[2:9])
    labels = [Label(f"{chunk.document.url}/#top", words)]

    assert labelled_chunks(labels)[chunk.pk] == frozenset({0})
    Chunk.objects.filter(document=chunk.document).update(is_enabled=False)
    assert labelled_chunks(labels) == {}
