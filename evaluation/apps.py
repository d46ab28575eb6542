from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        import_module("taxonomy.packs").registered.append(sheets)
        import_module("chat.services").copies.append(golden_copies)


def golden_copies(conversations: Any) -> Any:
    """Return the golden questions that repeat failed questions of conversations."""
    return import_module("evaluation.queue").golden_copies(conversations)


def sheets() -> Any:
    """Return this app's sheets of a pack; import them only on use."""
    return (import_module("evaluation.golden").GOLDEN,)
