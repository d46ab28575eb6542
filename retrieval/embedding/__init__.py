"""Embedding providers. To add one, write its file and list it here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding.base import Calibration, Embedder
from retrieval.embedding.e5 import E5Embedder

__all__ = ["PROVIDERS", "Calibration", "E5Embedder", "Embedder", "get_embedder", "get_encoder"]


def _openai(model: str, dimensions: int) -> Embedder:
    # The client takes over a second to import, and most installations have no key.
    from retrieval.embedding.openai import OpenAIEmbedder  # noqa: PLC0415

    return OpenAIEmbedder(
        model,
        dimensions or USUAL,
        api_key=settings.OPENAI["api_key"],
        base_url=settings.EMBEDDING["base_url"] or settings.OPENAI["base_url"],
    )


PROVIDERS: dict[str, Callable[[str, int], Embedder]] = {
    "e5": lambda _, dimensions: E5Embedder(dimensions),
    "openai": _openai,
}
#: Default size of an endpoint's vectors.
USUAL = 1536
#: Former provider names of 1.1.0.
GONE = ("lexical", "multilingual")


def get_embedder() -> Embedder:
    """Return the configured embedder; one per process and configuration."""
    chosen = settings.EMBEDDING
    if chosen["provider"] in GONE:
        raise ImproperlyConfigured(
            f"EMBEDDING_PROVIDER={chosen['provider']} is gone: remove it or set "
            f"EMBEDDING_PROVIDER=e5 (or openai), then run manage.py reindex."
        )
    if chosen["provider"] not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        raise ImproperlyConfigured(f"EMBEDDING_PROVIDER is {chosen['provider']!r}; known: {known}")
    # `e5` has one model, whatever the settings name.
    model = chosen["model"] if chosen["provider"] == "openai" else ""
    return _made(chosen["provider"], model, chosen["dimensions"])


def get_encoder() -> E5Embedder:
    """Return the encoder that comes with the product, whatever embedder is configured.

    It reads all supported languages and needs no network. It classifies messages and compares
    questions and texts.
    """
    return cast("E5Embedder", _made("e5", "", 0))


@cache
def _made(provider: str, model: str, dimensions: int) -> Embedder:
    return PROVIDERS[provider](model, dimensions)
