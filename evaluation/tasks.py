"""Evaluation's tasks, on a queue of their own. Each may run twice without harm."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from evaluation import services
from evaluation.cases import from_json
from evaluation.models import Run
from zol.tenancy import serving


@shared_task
def ask_case(hospital_id: int, run_id: int, case: dict[str, Any]) -> None:
    """Ask one golden question of a run."""
    with serving(hospital_id):
        run = Run.objects.select_related("hospital").get(pk=run_id)
        asked = from_json(case)
        if services.pending(run, [asked]):
            services.ask(run, asked)
