"""The product's settings, with services of the tests' own."""

import os
import tempfile
from pathlib import Path

from tests import side_by_side

folder = Path(os.environ.get("STATE_DIR") or Path(__file__).parent.parent / ".state-test")
os.environ["STATE_DIR"] = str(side_by_side.own(folder))
for name in ("DATABASE_URL", "DATABASE_APP_URL", "REDIS_URL", "OPENAI_API_KEY"):
    if f"TEST_{name}" in os.environ:
        os.environ[name] = os.environ[f"TEST_{name}"]
    else:
        os.environ.pop(name, None)

from zol.settings import *  # noqa: E402

MEDIA_ROOT = Path(tempfile.gettempdir()) / f"zol-test-media-{os.getpid()}"
# Most statements of a test run once; preparing one costs as much as running it.
DATABASES["default"]["OPTIONS"] |= {"prepare_threshold": None}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
STATIC_ROOT = MEDIA_ROOT / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
# Tests ask more than a patient may; those about limits set their own.
RATE_LIMITS = ""
# As in production: what one process learned, the others read, and those of later runs.
LEARNED_ROOT = side_by_side.shared(folder) / "learned"
# Most tests begin without default rows; the small hospital has them all.
DEFAULTS_WITH_MIGRATE = False
