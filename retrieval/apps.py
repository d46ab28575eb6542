from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import AppConfig

from zol.apps import check_setting


class RetrievalConfig(AppConfig):
    name = "retrieval"

    def ready(self) -> None:
        check_setting("EMBEDDING_PROVIDER", embedder)
        import_module("taxonomy.facts.records").readers.append(page_texts)
        import_module("taxonomy.packs").registered.append(sheets)


def embedder() -> Any:
    """Choose the configured embedder; imported only when asked for."""
    return import_module("retrieval.embedding").get_embedder()


def page_texts(paths: Any) -> Any:
    """Return the texts of pages, for facts to be held against; imported only when asked for."""
    return import_module("retrieval.selectors").page_texts(paths)


def sheets() -> Any:
    """Return this app's sheets of a pack; imported only when one is read or written."""
    return (import_module("retrieval.packs").PAGES,)
