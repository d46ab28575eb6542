"""What `manage.py check` says of settings that would otherwise fail with the first visitor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import InvalidStorageError, storages

from zol.visitors import networks
from zol.web.port import web_processes

#: What a setting may be refused with when it is read.
REFUSALS = (ImproperlyConfigured, InvalidStorageError, ValueError)


def check_setting(name: str, read: Callable[[], object]) -> None:
    """Let `manage.py check` read a setting as visitors do, and tell what is wrong with it."""

    def check(**_: Any) -> list[Error]:
        try:
            read()
        except REFUSALS as error:
            return [Error(str(error), hint=f"Correct {name}.", id=f"zol.{name.lower()}")]
        return []

    register(check)


def check_settings() -> None:
    check_setting("WEB_PROCESSES", web_processes)
    check_setting("TRUSTED_PROXIES", lambda: networks(tuple(settings.TRUSTED_PROXIES)))
    check_setting("INTERNAL_NETWORKS", lambda: networks(tuple(settings.INTERNAL_NETWORKS)))
    check_setting("MEDIA_URL_BACKEND", lambda: storages["default"])
