from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import AppConfig


class TaxonomyConfig(AppConfig):
    name = "taxonomy"

    def ready(self) -> None:
        import_module("taxonomy.packs").registered.append(sheets)


def sheets() -> Any:
    """Return this app's sheets of a pack; imported only when one is read or written."""
    return import_module("taxonomy.packs.entities").SHEETS
