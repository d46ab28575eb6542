"""The project as an app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ZolConfig(AppConfig):
    name = "zol"

    def ready(self) -> None:
        import_module("zol.celery")  # So that `shared_task` finds our Celery app in every process.
        import_module("zol.audit").watch()
        import_module("zol.checks").check_settings()
