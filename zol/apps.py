"""App configurations, and system checks of settings."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import apps as admin_apps  # Django takes any config here for ours.
from django.core.checks import Error, Warning, register  # noqa: A004
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import InvalidStorageError, storages

from zol.access.visitors import networks
from zol.web.programs import web_processes

#: Exceptions of an invalid setting.
REFUSALS = (ImproperlyConfigured, InvalidStorageError, ValueError)


def check_setting(name: str, read: Callable[[], object]) -> None:
    """Register a system check that reads a setting and reports an error."""

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


def https_behind_a_proxy(**_: Any) -> list[Warning]:
    """Warn of HTTPS without a trusted proxy, which has to terminate it."""
    if not settings.HTTPS or settings.TRUSTED_PROXIES:
        return []
    text = "HTTPS is on and TRUSTED_PROXIES is empty: all visitors share the proxy's address."
    return [Warning(text, hint="Name the proxy's address in TRUSTED_PROXIES.", id="zol.https")]


def models_held_to_schemas(**_: Any) -> list[Error]:
    """Request a structured reply from each model, so that a failure shows before patients ask."""
    return [
        Error(fault, hint="Name another model, or another endpoint.", id="zol.model")
        for fault in import_module("zol.llm").faults()
    ]


class ZolConfig(AppConfig):
    name = "zol"

    def ready(self) -> None:
        import_module("zol.celery")  # `shared_task` needs the Celery app.
        import_module("zol.records.audit").watch()
        check_settings()
        register(https_behind_a_proxy)
        register(models_held_to_schemas, deploy=True)


class ZolAdminConfig(admin_apps.AdminConfig):
    """The admin site in place of Django's own."""

    default = False
    default_site = "zol.backoffice.site.ZolAdminSite"

    def ready(self) -> None:
        super().ready()
        # Last, as they replace Django's own pages of accounts and need the site.
        for name in ("access", "widgets"):
            import_module(f"zol.backoffice.{name}")
