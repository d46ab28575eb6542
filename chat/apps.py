from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings


class ChatConfig(AppConfig):
    name = "chat"

    def ready(self) -> None:
        report = import_module("retrieval.benchmarks.report")
        report.SECTIONS.append(measured)
        keeping = import_module("chat.understanding.keeping")
        keeping.shelf.folder = settings.LEARNED_ROOT


def measured() -> Any:
    """Measure a turn and its parts for `manage.py benchmark`; imported only when asked for."""
    return import_module("chat.benchmarks").measured()
