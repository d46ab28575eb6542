"""Celery: the same settings, three queues (live, ingest, evaluation)."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

app = Celery("zol")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
