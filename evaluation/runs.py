"""Evaluation runs: start one, ask its questions, finish it.

A result is written once. Asking a question twice in one run changes nothing, so a killed run can be
resumed, and two workers may collide. A run stores the versions that it measured, so that it can be
compared and repeated.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.behaviours import Behaviour
from chat.services import TurnResult
from chat.wiring import MODEL, models_answer
from evaluation.figures import JudgedAnswer, judged, report_json
from evaluation.golden import Case, as_json, digest, read_cases, select, stored_cases
from evaluation.interview import Interview, evidence_in, outcome_of
from evaluation.metrics import measure
from evaluation.models import Result, Run
from evaluation.preview import LOST
from evaluation.scores import failings
from retrieval.embedding import get_embedder
from retrieval.selectors import corpus_revision
from taxonomy.models import Version
from taxonomy.publishing.live import answering_from, live_snapshot, load_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import BadInput, ExpectedError
from zol.languages import LANGUAGES
from zol.llm import is_configured
from zol.models import Hospital
from zol.tenancy import required_hospital_id


def versions(flags: Mapping[str, bool]) -> dict[str, Any]:
    """Return every version that the hospital's answers depend on."""
    snapshot, embedder = live_snapshot(), get_embedder()
    return {
        "taxonomy": snapshot.version,
        "corpus": corpus_revision(),
        "steering": _rows_digest(snapshot, "retrieval."),
        "texts": _rows_digest(snapshot, "chat."),
        "engine": settings.LLM["tiers"]["primary"]["model"] if flags.get(MODEL) else "embedded",
        "embedding": f"{embedder.name} {embedder.model} {embedder.dimensions}".replace("  ", " "),
        "commit": commit(),
    }


def _rows_digest(snapshot: Snapshot, prefix: str) -> str:
    """Return a fingerprint of published rows: version numbers differ between databases."""
    rows = {name: found for name, found in snapshot.rows.items() if name.startswith(prefix)}
    text = json.dumps(rows, sort_keys=True, default=dict)
    return sha256(text.encode()).hexdigest()[:12]


def commit() -> str:
    """Return the commit of the code: as deployed (the setting COMMIT), else as checked out,
    else empty."""
    if deployed := str(getattr(settings, "COMMIT", "")):
        return deployed
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 (whatever git is installed)
            cwd=settings.BASE_DIR, check=True, capture_output=True, text=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


#: Passages of a ranking stored with a result.
KEPT_RANKING = 20


def chosen(selection: Mapping[str, Any]) -> tuple[Case, ...]:
    """Return the golden questions of a selection; refuse one without any."""
    path, category, language = (
        selection.get(name, "") for name in ("golden", "category", "language")
    )
    if language and language not in LANGUAGES:
        raise BadInput(f"“{language}” is not a language: {', '.join(LANGUAGES)}.")
    known = read_cases(Path(path)) if path else stored_cases()
    found = select(known, category=category, language=language)
    if not found:
        held = ", ".join(sorted({case.category for case in known})) or "none"
        text = _("No golden question matches. Categories that have questions: %s.")
        raise BadInput(text % held)
    return found


def start_run(
    cases: Sequence[Case],
    *,
    flags: Mapping[str, bool],
    selection: Mapping[str, Any] | None = None,
    note: str = "",
    alive_at: datetime | None = None,
) -> Run:
    """Start a run over these questions for the served hospital."""
    ensure_affordable(flags)
    return Run.objects.create(
        hospital_id=required_hospital_id(),
        note=note,
        alive_at=alive_at,
        flags=dict(flags),
        versions=versions(flags),
        selection={**(selection or {}), "digest": digest(cases)},
        total=len(cases),
    )


def ensure_resumable(run: Run, cases: Sequence[Case]) -> None:
    """Refuse to mix two states of the product or two sets of questions in one run."""
    if run.selection.get("digest") != digest(cases):
        text = _("Run %d was started with other golden questions; start a new run.")
        raise BadInput(text % run.pk)
    with pinned(run):
        now = versions(run.flags)
    changed = [name for name in now if now[name] != run.versions.get(name)]
    if changed and run.state != Run.State.FINISHED:
        text = _("Since run %(run)d began, this has changed: %(names)s. Start a new run.")
        raise BadInput(text % {"run": run.pk, "names": ", ".join(changed)})


def ensure_affordable(flags: Mapping[str, bool]) -> None:
    """Refuse to ask a model that is not there, or beyond the day's budget."""
    if flags.get(MODEL) and not is_configured():
        raise BadInput(
            _("No language model is set up: ask IT to set OPENAI_API_KEY or OPENAI_BASE_URL.")
        )
    if flags.get(MODEL) and not models_answer():
        raise BadInput(_("Today's language model budget is used up: resume the run tomorrow."))


def resume(run: Run, cases: Sequence[Case], *, alive_at: datetime | None = None) -> None:
    """Resume a run, unless it is finished; a worker that still asks it stops."""
    ensure_resumable(run, cases)
    if run.state != Run.State.FINISHED:
        run.state, run.failure, run.alive_at = Run.State.RUNNING, "", alive_at
        run.save(update_fields=["state", "failure", "alive_at"])


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Refuse to start a run while workers ask another one of the same hospital."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        text = _("A run is already in progress, so nothing was started: wait for it, or stop it.")
        raise BadInput(text) from error


def ask_all(run: Run) -> None:
    """Ask what is left of a run as a worker, until it is stopped or taken over."""
    try:
        cases = chosen(run.selection)
        ensure_resumable(run, cases)
        left = pending(run, cases)
        if not _is_ours(run, alive_at=timezone.now()):
            return
        warm_up(run, left)
        for case in left:
            if not _is_ours(run, alive_at=timezone.now()):
                return
            ask(run, case)
        finish(run)
    except Exception as error:
        unforeseen = _("Unexpected error: ask IT to look in the log of the worker.")
        is_foreseen = isinstance(error, ExpectedError)
        _is_ours(run, state=Run.State.FAILED, failure=str(error) if is_foreseen else unforeseen)
        if not is_foreseen:
            raise


def _is_ours(run: Run, **change: Any) -> bool:
    """Update a run, unless it was stopped or another worker has updated it since."""
    held = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, alive_at=run.alive_at)
    run.alive_at = change.get("alive_at", run.alive_at)
    return bool(held.update(**change))


def lost_runs() -> QuerySet[Run]:
    """Return the running runs whose worker has sent no heartbeat for a while."""
    return Run.objects.filter(state=Run.State.RUNNING, alive_at__lt=timezone.now() - LOST)


def pending(run: Run, cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return the questions of a run that have no result yet."""
    known = set(run.results.values_list("key", flat=True))
    return tuple(case for case in cases if case.key not in known)


@contextmanager
def pinned(run: Run) -> Iterator[None]:
    """Answer from the version that was live when the run began."""
    number = run.versions.get("taxonomy", 0)
    if number in (0, live_snapshot().version):
        yield
        return
    with answering_from(_snapshot(run.hospital_id, number)):
        yield


@lru_cache(maxsize=2)
def _snapshot(hospital_id: int, number: int) -> Snapshot:
    return load_snapshot(Version.objects.get(hospital_id=hospital_id, number=number))


def ask(run: Run, case: Case) -> None:
    """Ask one question and store its result, unless it has one."""
    ensure_affordable(run.flags)
    with pinned(run):
        answered, failure = Interview(run.hospital.default_language, run.flags).answered(case)
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


def warm_up(run: Run, cases: Sequence[Case]) -> None:
    """Ask one question unmeasured, so that no measurement includes loading."""
    # A question to be answered: a refusal ends before most of what has to be loaded.
    answered = (case for case in cases if case.expect is Behaviour.ANSWER)
    if asked := next(answered, cases[0] if cases else None):
        unmeasured = Interview(run.hospital.default_language, {**run.flags, MODEL: False})
        with pinned(run):
            unmeasured.answered(asked)


def _said(answered: TurnResult | None) -> dict[str, Any]:
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
        "verified": context.reply.verified,
        "degraded": context.degraded,
        "cached": context.reply.cached,
        "engine": context.reply.engine,
        "evidence": [sha256(line.encode()).hexdigest()[:8] for line in evidence_in(context)],
        "version": answered.version,
    }


def results_of(run: Run, cases: Iterable[Case] = ()) -> tuple[JudgedAnswer, ...]:
    """Return the results of a run, in the order of the questions or else as asked."""
    place = {case.key: number for number, case in enumerate(cases)}
    found = [judged(result) for result in run.results.all()]
    return tuple(sorted(found, key=lambda result: place.get(result.key, 0)))


def finish(run: Run) -> Run:
    """Finish a run when every question has its result; a finished run never changes."""
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
