"""Golden questions through the real pipeline: a run is started, asked one by one, finished.

A result is written once. Asking a question twice in one run changes nothing, so a run that was
killed can be taken up, and two workers may stumble over each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from chat.services import REMEMBERED, Answered, take_turn
from chat.turn import Exchange, Turn
from evaluation.cases import Case, Label, as_json, digest
from evaluation.metrics import Outcome, failings, measure
from evaluation.metrics.sources import page
from evaluation.metrics.wording import quotes
from evaluation.models import Result, Run
from evaluation.summaries import Judged, judged, report_json
from evaluation.versions import versions
from retrieval.models import Chunk, Document
from taxonomy.selectors import live_snapshot
from zol.errors import BadInput, ExpectedError, NotPublished, WrongIndex
from zol.models import Hospital
from zol.tenancy import required_hospital_id

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
        raise BadInput(f"Run {run.pk} was started with other golden questions; start a new run.")
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
    answered, failure = _answered(run, case)
    outcome = _outcome(case, answered, failure)
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
            **_said(answered),
        },
    )
    Result.objects.bulk_create([result], ignore_conflicts=True)


def warm_up(run: Run, case: Case) -> None:
    """Ask a question unheard, so that no measured one pays for what a process loads once."""
    _answered(run, case)


def _answered(run: Run, case: Case) -> tuple[Answered | None, str]:
    """Ask the conversation of a case; its last answer, or why there is none."""
    try:
        history: tuple[Exchange, ...] = ()
        for step in case.earlier:
            exchange = step.exchange() if step.is_answered else _asked(run, step.question, history)
            history = (*history, exchange)[-REMEMBERED:]
        return take_turn(_turn(run, case.question, history), flags=run.flags), ""
    except (NotPublished, WrongIndex):
        raise  # Nothing at all can be asked; not one question's failure.
    except ExpectedError as error:
        return None, f"{type(error).__name__}: {error}"


def _asked(run: Run, question: str, history: tuple[Exchange, ...]) -> Exchange:
    """Ask an earlier question of a conversation; its answer is what the later ones refer to."""
    context = take_turn(_turn(run, question, history), flags=run.flags).context
    urls = tuple(citation.url for citation in context.citations)
    return Exchange(context.question, context.answer, urls)


def _turn(run: Run, question: str, history: tuple[Exchange, ...]) -> Turn:
    """The page is always in the hospital's language: the golden one is never handed over."""
    return Turn(question, language=run.hospital.default_language, history=history)


def _outcome(case: Case, answered: Answered | None, failure: str) -> Outcome:
    if answered is None:
        return Outcome(failure=failure, language="", labelled=labelled_chunks(case.passages))
    context = answered.context
    return Outcome(
        answer=context.answer,
        behaviour=context.behaviour,
        language=context.understanding.language,
        names=_names_in(context.answer),
        intent=str(context.understanding.intent),
        cited=tuple(citation.url for citation in context.citations),
        ranking=tuple(passage.chunk_id for passage in context.passages),
        labelled=labelled_chunks(case.passages),
    )


def _names_in(answer: str) -> tuple[str, ...]:
    things = live_snapshot().vocabulary.things
    return tuple({thing.name for thing in things if thing.name in answer})


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


def labelled_chunks(labels: Sequence[Label]) -> dict[int, frozenset[int]]:
    """Return the searchable chunks that hold labelled passages, each with the labels it holds."""
    if not labels:
        return {}
    wanted = {page(label.url) for label in labels}
    chunks = Chunk.objects.filter(is_enabled=True, document__status=Document.Status.READY)
    named = {form for label in labels for form in _forms(label.url)}
    found = chunks.filter(document__url__in=named).values_list("pk", "document__url", "content")
    held = {
        pk: frozenset(
            number
            for number, label in enumerate(labels)
            if page(label.url) == page(url) and quotes(content, label.quote)
        )
        for pk, url, content in found
        if page(url) in wanted
    }
    return {pk: numbers for pk, numbers in held.items() if numbers}


def _forms(url: str) -> Iterator[str]:
    """Give the ways in which a page's address may be stored."""
    plain = url.strip().partition("#")[0]
    yield from (plain, plain.rstrip("/"), f"{plain.rstrip('/')}/")


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
