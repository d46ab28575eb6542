"""The chat's tasks. Each may run twice without harm."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from chat import services
from zol.models import Hospital
from zol.tenancy import serving

#: No turn takes longer, whatever its models do.
LONGEST_TURN = timedelta(minutes=5)


@shared_task
def end_abandoned() -> None:
    """End the answers that no process writes any more, so that nobody waits for them."""
    before = timezone.now() - LONGEST_TURN
    for hospital_id in Hospital.objects.values_list("pk", flat=True):
        with serving(hospital_id):
            services.end_abandoned(before)
