"""A fitted head as the file that the product reads, with what its scores mean; needs torch."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import torch
from scipy.optimize import minimize

from evaluation.lab.reading import asking, lessons
from evaluation.lab.reading.train import collections
from retrieval.reader import Reader
from retrieval.vectors import Matrix

#: Held rows by which scores become chances.
MOST = 800


def write(work: Path, name: str, file: Path, only: str = "") -> None:
    """Write weights in half precision, and two lines of logistic regression over held rows."""
    model = torch.load(work / f"{name}.pt")["model"]
    stored = {key: each.numpy().astype(np.float16) for key, each in model.items()}
    stored |= {key: each.numpy().astype(np.float32) for key, each in model.items() if key in {"prior", "nothing"}}
    narrowing = np.load(work / "narrowing.npz")
    stored |= {key: narrowing[key].astype(np.float32) for key in ("mean", "directions")}
    stored |= {"answers": np.array([1.0, 0.0], np.float32), "none": np.array([1.0, 0.0], np.float32)}
    wanted = [path for path in collections(work) if not only or path.name in only.split(",")]
    shelves = [lessons.shelf(path, narrowing["mean"], narrowing["directions"]) for path in wanted]
    stored |= calibrated(Reader(stored, ""), list(lessons.rows_of(shelves, held=True)))
    buffer = io.BytesIO()
    np.savez(buffer, **stored)
    file.write_bytes(buffer.getvalue())
    print(f"{file}: {len(buffer.getvalue()):,} bytes")


def calibrated(reader: Reader, rows: list[lessons.Row]) -> dict[str, Matrix]:
    """Return slope and intercept for "this answers", and for "nothing does"."""
    chance = np.random.default_rng(5)
    single, whole = [], []
    nothing = float(reader._nothing)
    for at in chance.permutation(len(rows))[:MOST]:
        row = rows[at]
        question, statements = asking.asked(row)
        if row.right:
            scores = np.array(reader.read(question, statements).scores) - nothing
            best = np.argsort(-scores)[:20]
            single += [(scores[place], int(place) in row.right) for place in best]
            whole.append((scores.max(), True))
        if without := asking.emptied(row, statements):
            scores = np.array(reader.read(question, without).scores) - nothing
            whole.append((scores.max(), False))
    return {"answers": _line(single), "none": _line(whole)}


def _line(pairs: list[tuple[float, bool]]) -> Matrix:
    odds, is_so = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs], dtype=float)

    def lost(line: np.ndarray) -> float:
        made = line[0] * odds + line[1]
        return float((np.logaddexp(0, made) - is_so * made).mean())

    return minimize(lost, np.array([1.0, 0.0])).x.astype(np.float32)
