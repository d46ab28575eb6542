"""Settings of a web server that serves one test: its database and files, and all else as it is live."""

import os

from tests.settings import *

for alias in DATABASES:
    DATABASES[alias]["NAME"] = os.environ["SERVER_DATABASE"]
# Only now: it reads where the services of a test are.
import zol.settings as product  # noqa: E402

MEDIA_ROOT = os.environ["SERVER_MEDIA"]
STATIC_ROOT = os.environ["SERVER_STATIC"]
DATABASES["default"]["OPTIONS"] |= product.PREPARED
STORAGES = product.STORAGES
WHITENOISE_USE_FINDERS = product.WHITENOISE_USE_FINDERS
CHANNEL_LAYERS = product.CHANNEL_LAYERS
RATE_LIMITS = os.environ.get("RATE_LIMITS", "")
