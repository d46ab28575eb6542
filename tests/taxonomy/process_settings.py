"""Settings of a process that takes part in a test of releases: the test's own database."""

from __future__ import annotations

import os
from pathlib import Path

from tests.settings import *

for alias in DATABASES:
    DATABASES[alias]["NAME"] = os.environ["PROCESS_DATABASE"]
LEARNED_ROOT = Path(kept) if (kept := os.environ["PROCESS_LEARNED"]) else None
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
