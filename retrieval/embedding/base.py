"""What the product asks of an embedding provider, and what all of them do alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Condition
from typing import NamedTuple, Protocol, runtime_checkable

from cachetools import LRUCache, cached
from django.core.exceptions import ImproperlyConfigured

from retrieval.vectors import Matrix


@dataclass(frozen=True, slots=True)
class Calibration:
    """Cosines of questions with passages that mean something for one provider only (D23)."""

    #: Below this a dense hit does not count.
    floor: float
    #: When the best hit stays below this, nothing resembles the question (injection rule 3).
    low_similarity: float
    #: What a statement's cosine is multiplied by, so that it means what others' do.
    gain: float = 1.0


class Embedder(Protocol):
    """Turns texts into vectors of length 1. Who it is, is kept with the index."""

    name: str
    model: str
    dimensions: int
    calibration: Calibration
    #: Languages in which a question is understood beside its translation; none where it is not.
    languages: frozenset[str]
    #: Whether nobody else is asked: no network, no waiting, no bill.
    is_local: bool

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text."""
        ...

    def embed_query(self, text: str) -> Matrix:
        """Return one vector."""
        ...


@dataclass(frozen=True, slots=True)
class EncoderPassage:
    """A passage as it is read: what it is about, then its statements, each under its heading."""

    about: str
    statements: tuple[tuple[str, str], ...]
    #: The whole as one text, for an encoder that reads it at once.
    text: str = ""


class StatementSpan(NamedTuple):
    """Where in a window a statement stands, and the heading that it stands under."""

    number: int
    start: int
    end: int
    heading: tuple[int, int]


@dataclass(slots=True)
class Window:
    """As much of a passage as is read at once, and where in it which statements stand."""

    passage: int
    pieces: list[int]
    #: The first pieces, which say what the passage is about.
    about: int
    spans: list[StatementSpan] = field(default_factory=list)


@runtime_checkable
class ReadsInContext(Protocol):
    """An embedder that reads a passage once, for itself and for each of its statements: single
    sentences are near what they mean, so that quotations are chosen by it."""

    def embed_passages(self, passages: Sequence[EncoderPassage]) -> tuple[Matrix, list[Matrix]]:
        """Return a row for each passage, and for each a row for each of its statements."""
        ...


def size_of(asked: int, native: int) -> int:
    """Return the numbers of a vector that are asked for (0: the model's own), of a model that gives
    `native`; more are filled up with zeros, which no cosine sees. Fewer are refused."""
    if asked and asked < native:
        raise ImproperlyConfigured(
            f"EMBEDDING_DIMENSIONS is {asked}; this provider gives {native}: leave it out."
        )
    return asked or native


def squeezed(text: str) -> str:
    """Return a text's lines as sentences: encoders know no line breaks."""
    return ". ".join(line.rstrip(". ") for line in text.split("\n") if line.strip())


#: Questions that a process remembers for each encoder: 2 KB each.
REMEMBERED = 1_000


class QuestionVectors:
    """Embeds a question, or knows its vector, which nobody can change.

    Who asks for a vector that another thread is making waits for it.
    """

    def __init__(self, embed: Callable[[str], Matrix]) -> None:
        self._vectors: LRUCache[str, Matrix] = LRUCache(REMEMBERED)
        self._known = cached(self._vectors, key=str, condition=Condition())(_sealed(embed))

    def __call__(self, text: str) -> Matrix:
        return self._known(text)

    def forget(self) -> None:
        self._known.cache_clear()


class Remembering(ABC):
    """An embedder that makes the vector of a question once, whoever asks for it.

    The answer cache, the search and the choice of quotations ask for the same question.
    """

    def __init__(self) -> None:
        self._question = QuestionVectors(self._question_anew)

    def embed_query(self, text: str) -> Matrix:
        return self._question(text)

    def forget(self) -> None:
        self._question.forget()

    @abstractmethod
    def _question_anew(self, text: str) -> Matrix:
        """Return the vector of a question."""


def _sealed(embed: Callable[[str], Matrix]) -> Callable[[str], Matrix]:
    def embedded(text: str) -> Matrix:
        vector = embed(text)
        vector.flags.writeable = False
        return vector

    return embedded
