"""The encoder's states of pools and questions, kept in files: one folder for each collection.

    .venv/bin/python -m lab.reading.states WORK FOLDER…

A FOLDER has articles or pages with questions in the forms of `data.py`; WORK gets a folder for each
collection. `rows.f16` holds the states of every piece after the middle layer, of windows and of
questions. A folder is made once; one that was cut off is made again.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

import numpy as np
from numpy.typing import NDArray

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

from lab.reading.data import StatementPool, pools_of
from lab.reading.windows import windows_of
from retrieval.embedding import get_encoder
from retrieval.embedding.e5.encoder import Encoder
from retrieval.vectors import Matrix

WIDTH = 384


@dataclass(slots=True)
class PoolStates:
    """A pool as it was read. Spans are places in `rows.f16`: of each statement what its passage is
    about, its heading and itself; of each question itself."""

    pool: StatementPool
    spans: NDArray[np.int64]
    asked_spans: NDArray[np.int64]


class Reading:
    """Reads pools into a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._at = file, 0

    def keep(self, pool: StatementPool) -> PoolStates:
        e5, encoder = get_encoder(), Encoder()
        size = len(pool.statements)
        spans = np.zeros((size, 3, 2), dtype=np.int64)
        firsts = np.cumsum([0, *(len(each.statements) for each in pool.passages)])

        for window in windows_of(encoder, pool.passages):
            begun = self._write(encoder.read(window.pieces)[1])
            for number, start, end, heading in window.spans:
                found = np.array([(1, window.about), heading, (start, end)])
                spans[firsts[window.passage] + number] = begun + found
        rows = [e5.half_read(each.text)[1] for each in pool.questions]
        asked_spans = [(begun := self._write(each), begun + len(each)) for each in rows]
        return PoolStates(pool, spans, np.array(asked_spans))

    def _write(self, rows: Matrix) -> int:
        begun = self._at
        self._file.write(rows.astype(np.float16).tobytes())
        self._at += len(rows)
        return begun


def read(pools: list[StatementPool], work: Path) -> None:
    """Read the collections that were not read before."""
    by_name: dict[str, list[StatementPool]] = defaultdict(list)
    for pool in pools:
        by_name[pool.collection].append(pool)
    for name, group in by_name.items():
        folder, begun = work / name, time.monotonic()
        if (folder / "pools.pickle").is_file():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "rows.f16").open("wb") as file:
            reading = Reading(file)
            kept = [reading.keep(pool) for pool in group]
        with (folder / "pools.pickle").open("wb") as file:
            pickle.dump(kept, file)
        print(name, len(kept), "pools", round(time.monotonic() - begun), "s", file=sys.stderr)


def load(folder: Path) -> tuple[list[PoolStates], NDArray[np.float16]]:
    """Return the pools of a collection and all their states."""
    with (folder / "pools.pickle").open("rb") as file:
        kept: list[PoolStates] = pickle.load(file)  # noqa: S301 - written by `read`
    rows = np.memmap(folder / "rows.f16", dtype=np.float16, mode="r").reshape(-1, WIDTH)
    return kept, rows


def main() -> None:
    """Read the command line and keep the states of all pools and questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    for folder in options.folders:
        read(pools_of(folder), options.work)


if __name__ == "__main__":
    main()
