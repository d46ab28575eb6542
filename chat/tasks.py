"""The chat's tasks. Each may run twice without harm."""

from __future__ import annotations

from celery import shared_task

from chat import services
from chat.models import Message
from zol.models import Hospital
from zol.tenancy import serving


@shared_task
def end_abandoned() -> None:
    """End the answers that no process writes any more, so that nobody waits for them."""
    for hospital_id in Hospital.objects.values_list("pk", flat=True):
        with serving(hospital_id):
            for message in Message.objects.filter(state=Message.State.RUNNING):
                services.end_if_abandoned(message)
