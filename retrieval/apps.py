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
    """Return the configured embedder; import it only on use."""
    return import_module("retrieval.embedding").get_embedder()


def page_texts(paths: Any) -> Any:
    """Return the texts of pages, to check facts against; import only on use."""
    return import_module("retrieval.selectors").page_texts(paths)


def sheets() -> Any:
    """Return this app's sheets of a pack; import them only on use."""
    return (import_module("retrieval.packs").PAGES,)
