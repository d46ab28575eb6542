"""Celery tasks of the chat. Each may run twice."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from chat import services
from chat.models import Message, ModelCall
from zol.models import Hospital
from zol.tenancy import serving

#: Days for which model calls are kept.
CALLS_KEPT = 90


@shared_task
def forget_calls() -> None:
    """Delete old records of model calls."""
    since = timezone.now() - timedelta(days=CALLS_KEPT)
    for hospital_id in Hospital.objects.values_list("pk", flat=True):
        with serving(hospital_id):
            ModelCall.objects.filter(created_at__lt=since).delete()


@shared_task
def end_abandoned() -> None:
    """End answers whose process is gone, so that nobody waits for them."""
    for hospital_id in Hospital.objects.values_list("pk", flat=True):
        with serving(hospital_id):
            for message in Message.objects.filter(state=Message.State.RUNNING):
                services.end_if_abandoned(message)
