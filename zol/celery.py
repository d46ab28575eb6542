"""Celery app, with the queues live, ingest and evaluation."""

from __future__ import annotations

import os

from celery import Celery
from django.core.management import call_command

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

app = Celery("zol")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.task  # type: ignore[untyped-decorator]
def clear_sessions() -> None:
    """Delete expired sessions."""
    call_command("clearsessions")
