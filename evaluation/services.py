"""Golden questions through the real pipeline: a run is started, asked one by one, finished.

A result is written once. Asking a question twice in one run changes nothing, so a run that was
killed can be taken up, and two workers may stumble over each other. With a run is kept what it was
measured on, so that it can be told from another and repeated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from chat.services import Answered
from evaluation.cases import Case, as_json, digest
from evaluation.interview import Interview, outcome_of
from evaluation.metrics import failings, measure
from evaluation.models import Result, Run
from evaluation.summaries import Judged, judged, report_json
from retrieval.embedding import get_embedder
from retrieval.selectors import corpus_revision
from taxonomy.selectors import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import BadInput
from zol.models import Hospital
from zol.tenancy import required_hospital_id


def versions() -> dict[str, Any]:
    """Return all versions that decide on the answers of the served hospital."""
    snapshot, embedder = live_snapshot(), get_embedder()
    return {
        "taxonomy": snapshot.version,
        "corpus": corpus_revision(),
        "steering": _rows_digest(snapshot, "retrieval."),
        "texts": _rows_digest(snapshot, "chat."),
        "engine": "embedded",
        "embedding": f"{embedder.name} {embedder.model} {embedder.dimensions}".replace("  ", " "),
        "commit": commit(),
    }


def _rows_digest(snapshot: Snapshot, prefix: str) -> str:
    """Return what tells published rows from others: the numbers of versions differ per database."""
    rows = {name: found for name, found in snapshot.rows.items() if name.startswith(prefix)}
    text = json.dumps(rows, sort_keys=True, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def commit() -> str:
    """Return the commit of the code: as deployed (the setting COMMIT), else as checked out."""
    deployed = str(getattr(settings, "COMMIT", ""))
    return deployed or _checked_out(Path(settings.BASE_DIR) / ".git")


def _checked_out(git: Path) -> str:
    """Read the commit from git's own files; empty when the code is not a checkout."""
    if git.is_file():  # A linked work tree: the file says where its folder is.
        git = (git.parent / git.read_text(encoding="utf-8").partition(":")[2].strip()).resolve()
    head = _read(git / "HEAD")
    if not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    shared = (git / (_read(git / "commondir") or ".")).resolve()
    return _read(git / name) or _read(shared / name) or _packed(_read(shared / "packed-refs"), name)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip() if file.is_file() else ""


def _packed(refs: str, name: str) -> str:
    for line in refs.splitlines():
        found, _, ref = line.partition(" ")
        if ref == name:
            return found
    return ""


#: Passages of a ranking that are kept with a result.
KEPT_RANKING = 20


def start_run(
    cases: Sequence[Case],
    *,
    flags: Mapping[str, bool],
    selection: Mapping[str, Any] | None = None,
    note: str = "",
) -> Run:
    """Open a run over these questions for the served hospital."""
    return Run.objects.create(
        hospital_id=required_hospital_id(),
        note=note,
        flags=dict(flags),
        versions=versions(),
        selection={**(selection or {}), "digest": digest(cases)},
        total=len(cases),
    )


def ensure_resumable(run: Run, cases: Sequence[Case]) -> None:
    """Refuse to mix answers of two states of the product, or questions of two sets, in one run."""
    if run.selection.get("digest") != digest(cases):
        labels = ", judgements or judged pages" if run.selection.get("judged") else ""
        raise BadInput(
            f"Run {run.pk} was started with other golden questions{labels}; start a new run."
        )
    now = versions()
    changed = [name for name in now if now[name] != run.versions.get(name)]
    if changed and run.state == Run.State.RUNNING:
        raise BadInput(
            f"Since run {run.pk} began, this has changed: {', '.join(changed)}. Start a new run."
        )


def pending(run: Run, cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return the questions of a run that have no result yet."""
    known = set(run.results.values_list("key", flat=True))
    return tuple(case for case in cases if case.key not in known)


def ask(run: Run, case: Case) -> None:
    """Ask one question and keep its result, unless it has one."""
    answered, failure = interview_of(run).answered(case)
    outcome = outcome_of(case, answered, failure)
    scores = measure(case, outcome)
    result = Result(
        hospital_id=run.hospital_id,
        run=run,
        key=case.key,
        category=case.category,
        language=case.language,
        passed=not any(failings(case.category, scores)),
        data={
            "asked": as_json(case),
            "scores": {name: asdict(score) for name, score in scores.items()},
            "failure": failure,
            "ranking": list(outcome.ranking[:KEPT_RANKING]),
            "certainty": outcome.certainty,
            **_said(answered),
        },
    )
    Result.objects.bulk_create([result], ignore_conflicts=True)


def warm_up(run: Run, case: Case) -> None:
    """Ask a question unheard, so that no measured one pays for what a process loads once."""
    interview_of(run).answered(case)


def interview_of(run: Run) -> Interview:
    return Interview(run.hospital.default_language, run.flags)


def _said(answered: Answered | None) -> dict[str, Any]:
    if answered is None:
        return {"answer": "", "language": "", "behaviour": "", "intent": "", "citations": []} | {
            "timings_ms": {}
        }
    context = answered.context
    return {
        "answer": context.answer,
        "language": context.understanding.language,
        "behaviour": str(context.behaviour),
        "intent": str(context.understanding.intent),
        "citations": [
            {"n": c.n, "url": c.url, "title": c.title, "page": c.page, "passage": c.passage}
            for c in context.citations
        ],
        "timings_ms": answered.timings_ms,
        "verified": context.verified,
        "degraded": context.degraded,
        "cached": context.cached,
        "engine": context.engine,
        "version": answered.version,
    }


def results_of(run: Run, cases: Iterable[Case] = ()) -> tuple[Judged, ...]:
    """Return a run's results, in the order of the questions, else in that of their asking."""
    place = {case.key: number for number, case in enumerate(cases)}
    found = [judged(result) for result in run.results.all()]
    return tuple(sorted(found, key=lambda result: place.get(result.key, 0)))


def finish(run: Run) -> Run:
    """Close a run when every question has its result; a closed run never changes."""
    if run.state != Run.State.RUNNING or run.results.count() < run.total:
        return run
    report = report_json(results_of(run), run.versions)
    run.summary = {name: report[name] for name in ("summary", "categories", "languages")}
    run.state = Run.State.FINISHED
    run.finished_at = timezone.now()
    run.save(update_fields=["summary", "state", "finished_at"])
    return run


def run_of(number: int, hospital: Hospital) -> Run:
    """Return a run of a hospital by its number."""
    found = Run.objects.filter(pk=number, hospital=hospital).first()
    if found is None:
        raise BadInput(f"There is no run {number} of {hospital.slug}.")
    return found
