"""Providers of embeddings. To add one, write its file and list it here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding.base import Calibration, Embedder, Matrix
from retrieval.embedding.lexical import LexicalEmbedder
from retrieval.embedding.multilingual import NATIVE, MultilingualEmbedder

__all__ = [
    "PROVIDERS",
    "Calibration",
    "Embedder",
    "LexicalEmbedder",
    "Matrix",
    "MultilingualEmbedder",
    "get_embedder",
]


def _openai(model: str, dimensions: int) -> Embedder:
    # The client takes over a second to import, and most installations have no key.
    from retrieval.embedding.openai import OpenAIEmbedder  # noqa: PLC0415

    return OpenAIEmbedder(
        model,
        dimensions or USUAL,
        api_key=settings.OPENAI["api_key"],
        base_url=settings.EMBEDDING["base_url"] or settings.OPENAI["base_url"],
    )


def _lexical(model: str, dimensions: int) -> Embedder:
    return LexicalEmbedder(dimensions or USUAL)


def _multilingual(model: str, dimensions: int) -> Embedder:
    return MultilingualEmbedder(dimensions or NATIVE)


PROVIDERS: dict[str, Callable[[str, int], Embedder]] = {
    "multilingual": _multilingual,
    "lexical": _lexical,
    "openai": _openai,
}
#: The size of vectors where neither the settings nor the model say one.
USUAL = 1536


def get_embedder() -> Embedder:
    """Return the configured embedder; one per process and configuration."""
    chosen = settings.EMBEDDING
    if chosen["provider"] not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        raise ImproperlyConfigured(f"EMBEDDING_PROVIDER is {chosen['provider']!r}; known: {known}")
    return _made(chosen["provider"], chosen["model"], chosen["dimensions"])


@cache
def _made(provider: str, model: str, dimensions: int) -> Embedder:
    return PROVIDERS[provider](model, dimensions)
