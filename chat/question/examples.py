"""Compare a question with the example questions of each intent.

Staff edit the examples. Vectors of the default ones, also of earlier releases, are shipped (`python
-m lab example_vectors`). Others are embedded, about fifty a second, when a version is first used:
the first process stores them in a folder under a key of texts and encoder, and the others wait for
the file. Without a folder every process embeds them itself.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from taxonomy.publishing.snapshot import Snapshot

logger = logging.getLogger(__name__)

Arrays: TypeAlias = Mapping[str, np.ndarray[Any, Any]]
#: Maximum files: the live and the next version of a few hospitals; a few megabytes each.
MOST = 12


@dataclass(slots=True)
class VectorStore:
    """A folder of arrays by key; None keeps nothing."""

    folder: Path | None = None

    def of(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """Return the arrays of a key, or make and keep them while other processes wait."""
        if self.folder is None:
            return make()
        place = self.folder / f"{key}.npz"
        made: Arrays | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with _alone(self.folder / "lock"):
                if kept := _read(place):
                    return kept
                made = make()
                _write(place, made)
        except OSError:
            logger.warning("Vectors cannot be stored in %s", self.folder, exc_info=True)
        return made or make()


#: The process's own.
shelf = VectorStore(settings.LEARNED_ROOT)


def key_of(*texts: str) -> str:
    """Return a fingerprint of texts and their encoder."""
    said = blake2b(digest_size=16)
    for text in texts:
        said.update(f"{text}\n".encode())
    return said.hexdigest()


def packed(values: Iterable[str]) -> np.ndarray[Any, Any]:
    """Pack texts as an array that needs no pickle."""
    return np.frombuffer(json.dumps(list(values)).encode(), dtype=np.uint8)


def texts(found: np.ndarray[Any, Any]) -> list[str]:
    """Unpack the texts of `packed`."""
    plain: list[str] = json.loads(found.tobytes())
    return plain


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _read(place: Path) -> Arrays | None:
    if not place.is_file():
        return None
    try:
        with place.open("rb") as opened, np.load(opened) as file:
            found = {name: file[name] for name in file.files}
    except (ValueError, EOFError, BadZipFile):
        logger.warning("%s cannot be read; it is made anew", place)
        return None
    os.utime(place)
    return found


def _write(place: Path, made: Arrays) -> None:
    """Write arrays atomically, and delete the least recently used ones."""
    half = place.with_suffix(".half")
    with half.open("wb") as file:
        np.savez(file, **made)  # type: ignore[arg-type]
    half.replace(place)
    kept = sorted(place.parent.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for old in kept[:-MOST]:
        old.unlink(missing_ok=True)


ROWS = "chat.intentexample"
FILE = Path(__file__).parents[1] / "defaults" / "example_vectors.npz"
#: Vectors are stored as bytes; their largest component is about 0.7.
SCALE = 160.0
#: Examples per intent that count, and the weight of the nearest.
VOTERS, BEST = 3, 0.6
#: Examples shown to staff.
SHOWN = 5
#: Lexicon concept whose usual word replaces each masked name.
STANDING_FOR = {
    "{doctor}": "doctor", "{department}": "cardiology", "{condition}": "diabetes",
    "{treatment}": "surgery", "{examination}": "mri", "{campus}": "campus",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """An example question with masked names: "wie is {doctor}"."""

    intent: Intent
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The similarity of a question to each intent, and its nearest examples."""

    likeness: Mapping[Intent, float]
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
    """Return an example with common words in place of masked names."""
    text = example.text
    for slot, name in STANDING_FOR.items():
        if slot in text and (concept := lexicon.concepts.get(name)):
            text = text.replace(slot, concept.canonical(example.language))
    return text


def vectors_of(said: Sequence[str]) -> Matrix:
    """Return a row for each text: shipped with the product, or embedded once and kept."""
    encoder, known = get_encoder(), _kept()
    new = sorted({text for text in said if fingerprint(text) not in known})

    def read() -> Arrays:
        return {"rows": np.array([encoder.embed_message(text) for text in new], dtype=np.float16)}

    rows = shelf.of(key_of(encoder.model, "examples", *new), read)["rows"] if new else ()
    own = dict(zip(new, rows, strict=True))
    found = [own[t] if t in own else known[fingerprint(t)] / SCALE for t in said]
    return np.array(found, dtype=np.float32)


def fingerprint(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


@cache
def _kept(path: Path = FILE) -> Mapping[int, Matrix]:
    """Return the shipped vectors if the current encoder made them."""
    with np.load(path) as file:
        if str(file["model"]) != get_encoder().model:
            return {}
        return dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
