"""Compare a question with the example questions of each intent.

Staff edit the examples. Vectors of the default ones, also of earlier releases, are shipped (`python
-m lab example_vectors`). Others are embedded, about fifty a second, when a version is first used,
and stored in a folder for the other processes. Without a folder every process embeds them itself.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np
from django.conf import settings

from retrieval.embedding import get_encoder
from retrieval.intents import Intent
from retrieval.vectors import Matrix
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.snapshot import Snapshot

logger = logging.getLogger(__name__)

Arrays: TypeAlias = Mapping[str, np.ndarray[Any, Any]]
#: Maximum files: the live and the next version of a few hospitals; a few megabytes each.
MOST = 12


@dataclass(slots=True)
class VectorStore:
    """A folder of arrays by key; without a folder nothing is stored."""

    folder: Path | None = None

    def get(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """Return the arrays of a key; the first process makes them while the others wait."""
        if self.folder is None:
            return make()
        made: Arrays | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / "lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                path = self.folder / f"{key}.npz"
                if stored := _read(path):
                    return stored
                made = make()
                _write(path, made)
        except OSError:
            logger.warning("Vectors cannot be stored in %s", self.folder, exc_info=True)
        return made or make()


vector_store = VectorStore(settings.LEARNED_ROOT)


def key_of(*texts: str) -> str:
    """Return a fingerprint of texts and their encoder."""
    return blake2b("\n".join(texts).encode(), digest_size=16).hexdigest()


def _read(path: Path) -> Arrays | None:
    if not path.is_file():
        return None
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            arrays = {name: file[name] for name in file.files}
    except (ValueError, EOFError, BadZipFile):
        logger.warning("%s cannot be read and is made again", path)
        return None
    os.utime(path)
    return arrays


def _write(path: Path, arrays: Arrays) -> None:
    """Write arrays atomically, and delete the least recently used files."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    part.replace(path)
    by_age = sorted(path.parent.glob("*.npz"), key=lambda each: each.stat().st_mtime)
    for old in by_age[:-MOST]:
        old.unlink(missing_ok=True)


ROWS = "chat.intentexample"
FILE = Path(__file__).parents[1] / "defaults" / "example_vectors.npz"
#: Vectors are stored as bytes; their largest component is about 0.7.
SCALE = 160.0
#: Nearest examples that represent an intent, and the weight of the first.
VOTERS, BEST = 3, 0.6
#: Examples shown to staff.
SHOWN = 5
#: Lexicon concept whose usual word replaces each placeholder.
PLACEHOLDERS = {
    "{doctor}": "doctor", "{department}": "cardiology", "{condition}": "diabetes",
    "{treatment}": "surgery", "{examination}": "mri", "{campus}": "campus",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """An example question, with placeholders for names: "wie is {doctor}"."""

    intent: Intent
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The cosine similarity of a question to each intent, and its nearest examples."""

    similarity: Mapping[Intent, float]
    examples: tuple[tuple[Example, float], ...]


class ExampleIndex:
    """Examples with their vectors. Immutable."""

    def __init__(self, examples: Sequence[Example], vectors: Matrix) -> None:
        self._examples, self._vectors = tuple(examples), vectors
        intents = np.array([str(example.intent) for example in examples])
        self._by_intent = {intent: np.flatnonzero(intents == intent) for intent in Intent}

    def nearest(self, vector: Matrix) -> Nearest:
        """Return the cosine similarity of a question to each intent and to single examples."""
        if not self._examples:
            return Nearest({}, ())
        cosines = self._vectors @ vector
        best = np.argsort(-cosines)[:SHOWN]
        return Nearest(
            {intent: _vote(cosines[at]) for intent, at in self._by_intent.items() if len(at)},
            tuple((self._examples[at], round(float(cosines[at]), 3)) for at in best),
        )


def _vote(cosines: Matrix) -> float:
    best = np.sort(cosines)[-VOTERS:]
    return float(BEST * best[-1] + (1 - BEST) * best.mean())


def example_index_of(snapshot: Snapshot) -> ExampleIndex:
    """Return a version's examples; use it through `snapshot.derived`."""
    examples, lexicon = examples_of(snapshot.rows_of(ROWS)), snapshot.derived(lexicon_of)
    return ExampleIndex(examples, vectors_of([filled(each, lexicon) for each in examples]))


def examples_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Example, ...]:
    return tuple(
        Example(Intent(row["intent"]), str(row["language"]), str(row["text"])) for row in rows
    )


def filled(example: Example, lexicon: Lexicon) -> str:
    """Return an example with a common word in place of each placeholder."""
    text = example.text
    for slot, name in PLACEHOLDERS.items():
        if slot in text and (concept := lexicon.concepts.get(name)):
            text = text.replace(slot, concept.canonical(example.language))
    return text


def vectors_of(texts: Sequence[str]) -> Matrix:
    """Return a row for each text: shipped with the product, or embedded once and stored."""
    encoder, shipped = get_encoder(), _shipped()
    new = sorted({text for text in texts if fingerprint(text) not in shipped})

    def make() -> Arrays:
        return {"rows": np.array([encoder.embed_message(text) for text in new], dtype=np.float16)}

    rows = vector_store.get(key_of(encoder.model, "examples", *new), make)["rows"] if new else ()
    own = dict(zip(new, rows, strict=True))
    found = [own[t] if t in own else shipped[fingerprint(t)] / SCALE for t in texts]
    return np.array(found, dtype=np.float32)


def fingerprint(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


@cache
def _shipped(path: Path = FILE) -> Mapping[int, Matrix]:
    """Return the shipped vectors if the current encoder made them."""
    with np.load(path) as file:
        if str(file["model"]) != get_encoder().model:
            return {}
        return dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
