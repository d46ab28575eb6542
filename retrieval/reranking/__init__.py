"""A second look at the best passages by a model that reads each together with the question.

Any server that speaks the common `/rerank` form will do; without one there is none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from retrieval.reranking.base import Reranker
from zol.errors import RerankFailed
from zol.runtime.breaker import Breaker


@cache
def get_reranker() -> Reranker | None:
    """Return the configured reranker; None without an address."""
    chosen = settings.RERANK
    if not chosen["url"]:
        return None
    # Most installations have none: what it needs is loaded when there is one.
    from retrieval.reranking.models import HttpReranker  # noqa: PLC0415

    return HttpReranker(
        chosen["url"],
        model=chosen["model"],
        api_key=chosen["api_key"],
        seconds=chosen["seconds"],
        breaker=Breaker("The reranker", RerankFailed),
    )


@receiver(setting_changed)
def forget_reranker(*, setting: str, **kwargs: Any) -> None:
    """Make it anew when a test changes the settings."""
    if setting == "RERANK":
        get_reranker.cache_clear()
