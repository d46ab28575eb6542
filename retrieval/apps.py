from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import AppConfig

from zol.apps import check_setting


class RetrievalConfig(AppConfig):
    name = "retrieval"

    def ready(self) -> None:
        check_setting("EMBEDDING_PROVIDER", embedder)
        check_setting("RERANK_MODEL_DIR", reranker)
        import_module("taxonomy.facts.sources").readers.append(page_texts)


def embedder() -> Any:
    """Choose the configured embedder; imported only when asked for."""
    return import_module("retrieval.embedding").get_embedder()


def reranker() -> Any:
    """Choose the configured reranker; imported only when asked for."""
    return import_module("retrieval.reranking").get_reranker()


def page_texts(paths: Any) -> Any:
    """Return the texts of pages, for facts to be held against; imported only when asked for."""
    return import_module("retrieval.population").page_texts(paths)
