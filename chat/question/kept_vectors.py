"""Vectors of many texts, kept in a folder for the next process that needs them.

The encoder reads some fifty texts a second. The first process keeps what it read under a key of
the texts and the encoder; the others wait for it and read the file. A file is never out of date;
the latest few stay. Without a folder, or where it cannot be written, every process reads anew.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np

logger = logging.getLogger(__name__)

Arrays: TypeAlias = Mapping[str, np.ndarray[Any, Any]]
#: Files that stay: the live and the coming version of a few hospitals; a few megabytes each.
MOST = 12


@dataclass(slots=True)
class VectorStore:
    """A folder of arrays by key; None keeps nothing."""

    folder: Path | None = None

    def of(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """Return what is kept under a key, else make and keep it. Other processes wait."""
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
            logger.warning("Vectors cannot be kept in %s", self.folder, exc_info=True)
        return made or make()


#: The process's own; its folder is named when Django starts.
shelf = VectorStore()


def key_of(*texts: str) -> str:
    """Return a fingerprint of texts and of what they are read by."""
    said = blake2b(digest_size=16)
    for text in texts:
        said.update(f"{text}\n".encode())
    return said.hexdigest()


def packed(values: Iterable[str]) -> np.ndarray[Any, Any]:
    """Return texts as an array that needs no pickle."""
    return np.frombuffer(json.dumps(list(values)).encode(), dtype=np.uint8)


def texts(found: np.ndarray[Any, Any]) -> list[str]:
    """Return the texts of `packed`."""
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
    """Keep arrays, whole or not at all, and throw away what nobody read for longest."""
    half = place.with_suffix(".half")
    with half.open("wb") as file:
        np.savez(file, **made)  # type: ignore[arg-type]
    half.replace(place)
    kept = sorted(place.parent.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for old in kept[:-MOST]:
        old.unlink(missing_ok=True)
