"""Settings of a process that takes part in a test: the test's own database, files and queue."""

import os
from pathlib import Path

from tests.settings import *

for alias in DATABASES:
    DATABASES[alias]["NAME"] = os.environ["OWN_DATABASE"]
MEDIA_ROOT = os.environ["OWN_MEDIA"]
LEARNED_ROOT = Path(kept) if (kept := os.environ["OWN_LEARNED"]) else None
CELERY_TASK_ROUTES = {"retrieval.tasks.*": {"queue": os.environ["OWN_QUEUE"]}}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
