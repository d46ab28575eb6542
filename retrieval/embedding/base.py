"""The interface of embedding providers, and the code they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition
from typing import Protocol

from cachetools import LRUCache, cached
from django.core.exceptions import ImproperlyConfigured

from retrieval.vectors import Matrix


@dataclass(frozen=True, slots=True)
class Calibration:
    """Cosine thresholds of one provider (spec D23)."""

    #: Dense hits below this do not count.
    floor: float
    #: If the best hit is below this, taxonomy facts join the passages (injection rule 3).
    low_similarity: float


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage to embed: its subject and lines, and the same as one text."""

    about: str
    lines: tuple[str, ...]
    text: str


class Embedder(Protocol):
    """Embeds texts as unit vectors; the index records its name, model and size."""

    name: str
    model: str
    dimensions: int
    calibration: Calibration
    #: Languages in which a question is embedded as asked, beside its translation.
    languages: frozenset[str]
    #: Whether it runs in this process, without network or cost.
    is_local: bool

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text."""
        ...

    def embed_passages(self, passages: Sequence[PassageText]) -> Matrix:
        """Return one row per passage."""
        ...

    def embed_query(self, text: str) -> Matrix:
        """Return one vector."""
        ...


def size_of(asked: int, native: int) -> int:
    """Return the vector size: `asked`, or the model's own if 0. Larger sizes are padded with zeros,
    which leave cosines unchanged; smaller ones are refused."""
    if asked and asked < native:
        raise ImproperlyConfigured(
            f"EMBEDDING_DIMENSIONS is {asked}; this provider gives {native}: leave it out."
        )
    return asked or native


def squeezed(text: str) -> str:
    """Return the lines of a text joined as sentences, because encoders ignore line breaks."""
    return ". ".join(line.rstrip(". ") for line in text.split("\n") if line.strip())


#: Questions cached per process and encoder: 2 KB each.
REMEMBERED = 1_000


class Remembered(Protocol):
    """An embedding of questions that is cached."""

    def __call__(self, text: str) -> Matrix: ...

    def cache_clear(self) -> None: ...


def remembered(embed: Callable[[str], Matrix]) -> Remembered:
    """Return `embed` with a cache of read-only vectors, which `cache_clear` empties. Threads that
    ask for the same text at once share one computation."""

    def sealed(text: str) -> Matrix:
        vector = embed(text)
        vector.flags.writeable = False
        return vector

    known: Remembered = cached(LRUCache(REMEMBERED), key=str, condition=Condition())(sealed)
    return known
