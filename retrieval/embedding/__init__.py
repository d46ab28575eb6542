"""Providers of embeddings. To add one, write its file and list it here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding.base import Calibration, Embedder, Forgets
from retrieval.embedding.e5 import E5Embedder
from retrieval.embedding.folder import FolderEmbedder
from retrieval.embedding.lexical import LexicalEmbedder
from retrieval.embedding.multilingual import MultilingualEmbedder

__all__ = [
    "PROVIDERS",
    "Calibration",
    "E5Embedder",
    "Embedder",
    "Forgets",
    "LexicalEmbedder",
    "MultilingualEmbedder",
    "forget_questions",
    "get_embedder",
    "get_hearer",
    "get_listener",
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


PROVIDERS: dict[str, Callable[[str, int], Embedder]] = {
    "e5": lambda _, dimensions: E5Embedder(dimensions),
    "multilingual": lambda _, dimensions: MultilingualEmbedder(dimensions),
    "lexical": lambda _, dimensions: LexicalEmbedder(dimensions or USUAL),
    "openai": _openai,
    "folder": FolderEmbedder,
}
#: The size of vectors where neither the settings nor the model say one.
USUAL = 1536


def get_embedder() -> Embedder:
    """Return the configured embedder; one per process and configuration."""
    chosen = settings.EMBEDDING
    if settings.EMBEDDING_MODEL_DIR:
        return _made("folder", settings.EMBEDDING_MODEL_DIR, chosen["dimensions"])
    if chosen["provider"] not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        raise ImproperlyConfigured(f"EMBEDDING_PROVIDER is {chosen['provider']!r}; known: {known}")
    # One instance, whatever model is named, of those that have only one.
    model = chosen["model"] if chosen["provider"] == "openai" else ""
    return _made(chosen["provider"], model, chosen["dimensions"])


def get_listener() -> Embedder:
    """Return what compares like with like: questions with questions, sentences with sentences.

    The encoder of passages was trained to bring a question near what answers it; for what a
    question resembles, the sentence encoder stands beside it. Other providers do both.
    """
    if settings.EMBEDDING_MODEL_DIR or settings.EMBEDDING["provider"] == "e5":
        return _made("multilingual", "", 0)
    return get_embedder()


def get_hearer() -> E5Embedder:
    """Return what emergencies are heard with: the encoder that reads every language of the product
    and asks nobody, whatever the search is configured to use."""
    return cast("E5Embedder", _made("e5", "", 0))


def forget_questions() -> None:
    """Have the configured embedders embed every question anew from now on."""
    for embedder in (get_embedder(), get_listener(), get_hearer()):
        if isinstance(embedder, Forgets):
            embedder.forget()


@cache
def _made(provider: str, model: str, dimensions: int) -> Embedder:
    return PROVIDERS[provider](model, dimensions)
