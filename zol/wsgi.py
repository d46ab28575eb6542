"""HTTP only; the chat's socket needs `zol.asgi`."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
application = get_wsgi_application()
