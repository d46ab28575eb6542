"""Example questions with their intents: which of them a question is most like.

Staff edit the examples. Vectors of the default ones, also of earlier releases, come with the
product (`python -m lab example_vectors`); what staff add is read when a version is first used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from chat.question.kept_vectors import Arrays, key_of, shelf
from retrieval.embedding import get_hearer
from retrieval.intents import Intent
from retrieval.vectors import Matrix
from taxonomy.lexicon import Lexicon, lexicon_of
from taxonomy.publishing.snapshot import Snapshot

ROWS = "chat.intentexample"
FILE = Path(__file__).parents[1] / "defaults" / "example_vectors.npz"
#: Vectors are kept as bytes; the largest number found in any is about 0.7.
SCALE = 160.0
#: Examples of one intent that count, and the share of the nearest among them.
VOTERS, BEST = 3, 0.6
#: Examples that staff are shown.
SHOWN = 5
#: The concept of the lexicon whose usual word stands for each masked name.
STANDING_FOR = {
    "{doctor}": "doctor", "{department}": "cardiology", "{condition}": "diabetes",
    "{treatment}": "surgery", "{examination}": "mri", "{campus}": "campus",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """A question as it may be asked; names are masked: "wie is {doctor}"."""

    intent: Intent
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """How much a question is like the examples of each intent, and the nearest ones."""

    likeness: Mapping[Intent, float]
    examples: tuple[tuple[Example, float], ...]


class ExampleIndex:
    """Examples with their vectors. Immutable once built."""

    def __init__(self, examples: Sequence[Example], vectors: Matrix) -> None:
        self._examples, self._vectors = tuple(examples), vectors
        intents = np.array([str(example.intent) for example in examples])
        self._by_intent = {intent: np.flatnonzero(intents == intent) for intent in Intent}

    def nearest(self, vector: Matrix) -> Nearest:
        """Return the likeness (cosine) of a question to each intent, and to single examples."""
        if not self._examples:
            return Nearest({}, ())
        alike = self._vectors @ vector
        best = np.argsort(-alike)[:SHOWN]
        return Nearest(
            {intent: _vote(alike[at]) for intent, at in self._by_intent.items() if len(at)},
            tuple((self._examples[at], round(float(alike[at]), 3)) for at in best),
        )


def _vote(alike: Matrix) -> float:
    best = np.sort(alike)[-VOTERS:]
    return float(BEST * best[-1] + (1 - BEST) * best.mean())


def example_index_of(snapshot: Snapshot) -> ExampleIndex:
    """Return a version's examples; use it through `snapshot.derived`."""
    examples, lexicon = examples_of(snapshot.rows_of(ROWS)), snapshot.derived(lexicon_of)
    return ExampleIndex(examples, vectors_of([spoken(each, lexicon) for each in examples]))


def examples_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Example, ...]:
    return tuple(
        Example(Intent(row["intent"]), str(row["language"]), str(row["text"])) for row in rows
    )


def spoken(example: Example, lexicon: Lexicon) -> str:
    """Return an example as somebody would say it, with a usual word for each masked name."""
    text = example.text
    for slot, name in STANDING_FOR.items():
        if slot in text and (concept := lexicon.concepts.get(name)):
            text = text.replace(slot, concept.canonical(example.language))
    return text


def vectors_of(said: Sequence[str]) -> Matrix:
    """Return a row for each text: as it comes with the product, else as read once and kept."""
    hearer, known = get_hearer(), _kept()
    new = sorted({text for text in said if fingerprint(text) not in known})

    def read() -> Arrays:
        return {"rows": np.array([hearer.heard(text) for text in new], dtype=np.float16)}

    rows = shelf.of(key_of(hearer.model, "examples", *new), read)["rows"] if new else ()
    own = dict(zip(new, rows, strict=True))
    found = [own[t] if t in own else known[fingerprint(t)] / SCALE for t in said]
    return np.array(found, dtype=np.float32)


def fingerprint(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


@cache
def _kept(path: Path = FILE) -> Mapping[int, Matrix]:
    """Return the vectors that come with the product, while they are of the encoder in use."""
    with np.load(path) as file:
        if str(file["model"]) != get_hearer().model:
            return {}
        return dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
