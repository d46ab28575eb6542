"""Settings of a web server that serves one test: its database and files, and all else as it is live."""

from __future__ import annotations

import os
from pathlib import Path

import zol.settings as product
from tests.settings import *

for alias in DATABASES:
    DATABASES[alias]["NAME"] = os.environ["SERVER_DATABASE"]
MEDIA_ROOT = os.environ["SERVER_MEDIA"]
STATIC_ROOT = os.environ["SERVER_STATIC"]
STORAGES = product.STORAGES
WHITENOISE_USE_FINDERS = product.WHITENOISE_USE_FINDERS
CHANNEL_LAYERS = product.CHANNEL_LAYERS
# Its code is as it stands on disk: one process learns, the others read.
LEARNED_ROOT = Path(os.environ["SERVER_LEARNED"])
RATE_LIMITS = os.environ.get("RATE_LIMITS", "")
