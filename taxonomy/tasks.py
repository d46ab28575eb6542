"""What goes live by itself, and workers that hear of what went live."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_process_init

from taxonomy.broadcast import listen
from taxonomy.services import going_live
from zol.models import Hospital
from zol.tenancy import serving


@shared_task
def publish_due() -> None:
    """Publish every release whose time has come. Twice does no harm: each is published once."""
    for hospital_id in Hospital.objects.order_by("pk").values_list("pk", flat=True):
        with serving(hospital_id):
            going_live.publish_due()


@worker_process_init.connect
def hear_of_publications(**kwargs: Any) -> None:
    """Every process of a worker has versions in memory of its own."""
    listen()
