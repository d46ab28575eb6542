"""A second look at the best passages by a model that reads each together with the question.

Any server that speaks the common `/rerank` form will do, or a model in a folder; without either
there is none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from retrieval.reranking.base import Reranker
from zol.errors import RerankFailed


@cache
def get_reranker() -> Reranker | None:
    """Return the configured reranker; None when neither a folder nor an address is set."""
    chosen = settings.RERANK
    if settings.RERANK_MODEL_DIR:
        from retrieval.reranking.models import FolderReranker  # noqa: PLC0415

        return FolderReranker(settings.RERANK_MODEL_DIR)
    if not chosen["url"]:
        return None
    # Most installations have none: what it needs is loaded when there is one.
    from retrieval.reranking.models import HttpReranker  # noqa: PLC0415
    from zol.llm.base import circuit_breaker  # noqa: PLC0415

    return HttpReranker(
        chosen["url"],
        model=chosen["model"],
        api_key=chosen["api_key"],
        seconds=chosen["seconds"],
        breaker=circuit_breaker("rerank", RerankFailed),
    )


@receiver(setting_changed)
def forget_reranker(*, setting: str, **kwargs: Any) -> None:
    """Make it anew when a test changes the settings."""
    if setting in {"RERANK", "RERANK_MODEL_DIR"}:
        get_reranker.cache_clear()
