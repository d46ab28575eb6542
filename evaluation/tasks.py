"""Celery tasks of evaluation, on their own queue. All are idempotent."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from celery import shared_task

from evaluation import judging, runs
from evaluation import preview as previews
from evaluation.golden import from_json
from evaluation.models import Preview, Run
from zol.errors import NotPublished
from zol.models import Hospital
from zol.postgres.locks import held
from zol.tenancy import serving


@shared_task
def ask_case(hospital_id: int, run_id: int, case: dict[str, Any]) -> None:
    """Ask one golden question of a run."""
    with serving(hospital_id):
        run = Run.objects.select_related("hospital").get(pk=run_id)
        asked = from_json(case)
        if runs.pending(run, [asked]):
            runs.ask(run, asked)


@shared_task
def ask_run(hospital_id: int, run_id: int) -> None:
    """Ask what is left of a run, taking it over from any other worker."""
    with serving(hospital_id):
        runs.ask_all(Run.objects.select_related("hospital").get(pk=run_id))


@shared_task
def replay(hospital_id: int, preview_id: int) -> None:
    """Replay a release against the live version."""
    with serving(hospital_id):
        previews.replay(Preview.objects.select_related("release").get(pk=preview_id))


@shared_task
def preview_releases() -> None:
    """Replay every submitted release that has no replay, and resume lost replays."""
    for hospital_id in Hospital.objects.values_list("pk", flat=True):
        with serving(hospital_id):
            started = [previews.start_preview(release) for release in previews.awaiting_preview()]
            for preview in (*started, *previews.lost_previews()):
                replay.delay(hospital_id, preview.pk)
            for run in runs.lost_runs():
                ask_run.delay(hospital_id, run.pk)


@shared_task
def grade_answers(hospital_id: int = 0) -> None:
    """Grade a sample of the last day's answers, of one hospital or of all."""
    if not hospital_id:
        for each in Hospital.objects.values_list("pk", flat=True):
            grade_answers.delay(each)
        return
    name = f"evaluation.live.{hospital_id}"
    with serving(hospital_id), suppress(NotPublished), held(name) as is_free:
        for message in judging.due() if is_free else ():
            judging.grade(message)
