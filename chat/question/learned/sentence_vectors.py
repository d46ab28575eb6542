"""What a sentence means beside its words: the vector of the sentence encoder, made small.

Words tell questions apart that share them; the encoder tells "may I bring flowers to my aunt"
from "order flowers for my aunt" where no example has a word of either. Reading all examples takes
it half a minute, so the vectors of those that come with the product are kept in a file beside
them (`manage.py read_examples`); what staff add is read when a version is first used.

Intents are told apart by the sentence encoder; emergencies by the encoder of passages, which reads
every language of the product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from retrieval.embedding import Embedder, get_hearer, get_listener
from retrieval.vectors import Matrix
from taxonomy.lexicon import Lexicon

DEFAULTS = Path(__file__).parents[2] / "defaults"
FILE, ALARMS_FILE = DEFAULTS / "example_vectors.npz", DEFAULTS / "alarm_vectors.npz"
#: Numbers kept of a vector: the directions in which the examples differ most. With 128 of 512,
#: held-out examples are understood as well as with all.
SIZE = 128
#: The same for emergencies, of which every one counts.
ALARMS_SIZE = 192
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
    """Small vectors of questions and examples, in the languages that the encoder reads."""

    def __init__(self, embedder: Embedder, kept: VectorFile) -> None:
        assert kept.directions is not None  # noqa: S101 - only made with some
        self._embedder, self._kept, self.model = embedder, kept, embedder.model
        self._directions, self.size = kept.directions, kept.directions.shape[1]

    def of_question(self, text: str, language: str) -> Matrix:
        """Return where a question points; nowhere in a language that the encoder cannot read."""
        if language not in self._embedder.languages:
            return np.zeros(self.size, dtype=np.float32)
        return self.of_text(text)

    def of_text(self, text: str) -> Matrix:
        """Return where a text points, in whatever language."""
        # Others may ask for the same vector in this turn; the encoder remembers it.
        small: Matrix = self._embedder.embed_query(text)[: len(self._directions)] @ self._directions
        return small

    def of_examples(self, examples: Sequence[Sample], lexicon: Lexicon) -> Matrix:
        """Return one row for each example."""
        texts = [spoken(example, lexicon) for example in examples]
        heard = [example.language in self._embedder.languages for example in examples]
        rows = np.zeros((len(texts), self.size), dtype=np.float32)
        read = [at for at, is_heard in enumerate(heard) if is_heard]
        rows[read] = self.of_texts([texts[at] for at in read])
        return rows

    def is_kept(self, text: str) -> bool:
        """Tell whether a text came with the product, as it is."""
        return fingerprint(text) in (self._kept.vectors or {})

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


def meanings() -> Meanings | None:
    """Return what reads sentences with the configured embedder; nothing where words must do."""
    embedder, file = get_listener(), kept()
    if file.directions is None or file.model != embedder.model:
        return None
    return Meanings(embedder, file)


def hearing() -> Meanings:
    """Return what emergencies are heard with, whatever embedder is configured for the search."""
    return Meanings(get_hearer(), kept(ALARMS_FILE))


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


def directions_of(rows: Matrix, size: int = SIZE) -> Matrix:
    """Return the directions in which vectors differ most."""
    _, _, directions = np.linalg.svd(rows.T @ rows)
    basis: Matrix = directions[:size].T
    return basis


def write(texts: Sequence[str], rows: Matrix, basis: Matrix, model: str, path: Path = FILE) -> None:
    """Keep the vectors of texts along some directions."""
    contents: dict[str, Any] = {
        "model": model,
        "directions": basis.astype(np.float16),
        "texts": np.array([fingerprint(text) for text in texts], dtype=np.uint64),
        "vectors": np.clip(np.rint(rows @ basis * SCALE), -127, 127).astype(np.int8),
    }
    np.savez_compressed(path, **contents)
