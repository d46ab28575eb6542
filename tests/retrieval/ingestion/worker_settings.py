"""Settings of a worker that serves one test: its database, its files, a queue of its own."""

from __future__ import annotations

import os

from tests.settings import *

for alias in DATABASES:
    DATABASES[alias]["NAME"] = os.environ["WORKER_DATABASE"]
MEDIA_ROOT = os.environ["WORKER_MEDIA"]
CELERY_TASK_ROUTES = {"retrieval.tasks.*": {"queue": os.environ["WORKER_QUEUE"]}}
