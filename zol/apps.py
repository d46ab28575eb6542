"""The project as an app, and what `manage.py check` says of settings that would fail later."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, register
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import InvalidStorageError, storages

from zol.visitors import networks
from zol.web.programs import web_processes

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


class ZolConfig(AppConfig):
    name = "zol"

    def ready(self) -> None:
        import_module("zol.celery")  # So that `shared_task` finds our Celery app in every process.
        import_module("zol.audit").watch()
        check_settings()
