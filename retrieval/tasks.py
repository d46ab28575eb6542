"""Celery tasks of ingestion, on their own queue. All are idempotent."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from retrieval import services
from retrieval.ingestion import classification
from zol.models import Hospital
from zol.postgres.locks import held
from zol.tenancy import serving


@shared_task
def ingest_document(hospital_id: int, item_id: int) -> None:
    """Process one document of a run."""
    with serving(hospital_id):
        services.ingest_item(item_id)


@shared_task
def recover_runs() -> None:
    """Requeue lost items of all hospitals; scheduled every minute."""
    for hospital in Hospital.objects.all():
        services.recover(hospital)


@shared_task
def classify_chunks(hospital_id: int = 0) -> None:
    """Classify chunks by changed keywords, of one hospital or of all; scheduled."""
    if not hospital_id:
        for each in Hospital.objects.values_list("pk", flat=True):
            classify_chunks.delay(each)
        return
    with serving(hospital_id), held(f"retrieval.classify.{hospital_id}") as is_free:
        if is_free:
            classification.classify_chunks()


@worker_ready.connect
def recover_at_start(sender: Any, **more: Any) -> None:
    """Requeue lost items when a worker of ingestion starts."""
    queues = {queue.name for queue in sender.task_consumer.queues}
    if recover_runs.app.conf.task_routes["retrieval.tasks.*"]["queue"] in queues:
        recover_runs.delay()
