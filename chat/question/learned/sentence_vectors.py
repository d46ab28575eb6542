"""What a sentence means beside its words: the encoder's vector, made small.

Words tell questions apart that share them; the encoder tells "may I bring flowers to my aunt"
from "order flowers for my aunt" where no example has a word of either. Reading all examples takes
it a minute, so the vectors of those that come with the product are kept in a file beside
them (`python -m lab example_vectors`); what staff add is read when a version is first used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np

from retrieval.embedding import Embedder, get_hearer
from retrieval.vectors import Matrix
from taxonomy.lexicon import Lexicon

DEFAULTS = Path(__file__).parents[2] / "defaults"
FILE = DEFAULTS / "example_vectors.npz"
#: Numbers kept of a vector: the directions in which the examples differ most. Of 480 messages of
#: strangers 433 are understood with 128, 432 with 192.
SIZE = 128
#: Vectors are kept as bytes; the largest number found in any is about 0.7.
SCALE = 160.0
#: What stands for a name that is masked in an example, as concepts of the lexicon.
STANDING_FOR = {
    "{doctor}": "doctor", "{department}": "cardiology", "{condition}": "diabetes",
    "{treatment}": "surgery", "{examination}": "mri", "{campus}": "campus",
}  # fmt: skip
#: Texts beyond those in the file that a process remembers the vectors of.
REMEMBERED = 20_000

_read_since: dict[tuple[str, str], Matrix] = {}


class Sample(Protocol):
    """An example of any sort: in which language, and how it is said."""

    @property
    def language(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The file: directions, and vectors of texts by their fingerprint."""

    model: str = ""
    directions: Matrix | None = None
    vectors: Mapping[int, Matrix] | None = None


class Meanings:
    """Small vectors of questions and examples."""

    def __init__(self, embedder: Embedder, kept: VectorFile) -> None:
        assert kept.directions is not None  # noqa: S101 - only made with some
        self._embedder, self._kept, self.model = embedder, kept, embedder.model
        self._directions, self.size = kept.directions, kept.directions.shape[1]

    def of_text(self, text: str) -> Matrix:
        """Return the vector of a question or another text."""
        # Others may ask for the same vector in this turn; the encoder remembers it.
        small: Matrix = self._embedder.embed_query(text)[: len(self._directions)] @ self._directions
        return small

    def of_examples(self, examples: Sequence[Sample], lexicon: Lexicon) -> Matrix:
        """Return one row for each example."""
        return self.of_texts([spoken(example, lexicon) for example in examples])

    def of_texts(self, texts: Sequence[str]) -> Matrix:
        """Return one row for each text; those that are not kept are read once."""
        known = self._kept.vectors or {}
        new = [text for text in dict.fromkeys(texts) if fingerprint(text) not in known]
        if len(_read_since) + len(new) > REMEMBERED:
            _read_since.clear()
        for text in new:
            if (self.model, text) not in _read_since:
                _read_since[self.model, text] = self.of_text(text)
        rows = [
            _read_since[self.model, text] if kept is None else kept.astype(np.float32) / SCALE
            for text in texts
            for kept in (known.get(fingerprint(text)),)
        ]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.size)


def meanings() -> Meanings:
    """Return what reads questions and examples of intents."""
    return Meanings(get_hearer(), kept())


def spoken(example: Sample, lexicon: Lexicon) -> str:
    """Return an example as somebody would say it, with a usual word for each masked name."""
    text = example.text
    for slot, name in STANDING_FOR.items():
        if slot in text and (concept := lexicon.concepts.get(name)):
            text = text.replace(slot, concept.canonical(example.language))
    return text


def fingerprint(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


@cache
def kept(path: Path = FILE) -> VectorFile:
    """Return what a file holds."""
    if not path.is_file():
        return VectorFile()
    with np.load(path) as file:
        found = zip(file["texts"].tolist(), file["vectors"], strict=True)
        return VectorFile(str(file["model"]), file["directions"].astype(np.float32), dict(found))
