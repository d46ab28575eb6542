"""A fitted head as the file that the product reads, with what its scores mean; needs torch."""

from __future__ import annotations

import io
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from scipy.optimize import minimize

from evaluation.lab.reading import asking, lessons
from evaluation.lab.reading.fitting import FitPlan
from retrieval.reader import Reader
from retrieval.vectors import Matrix

#: Held rows by which scores become chances.
MOST = 480


def write(plan: FitPlan, file: Path) -> None:
    """Write weights in half precision, and two lines of logistic regression over held rows."""
    model = torch.load(plan.work / f"{plan.name}.pt")["model"]
    stored = {key: each.numpy().astype(np.float16) for key, each in model.items()}
    stored |= {key: model[key].numpy() for key in ("prior", "nothing")}
    narrowing = np.load(plan.work / "narrowing.npz")
    stored |= {key: narrowing[key].astype(np.float32) for key in ("mean", "directions")}
    line = np.array([1.0, 0.0], dtype=np.float32)
    plain = Reader(stored | {"answers": line, "none": line}, "")
    rows = list(lessons.rows_of(plan.shelves(), held=True))
    # What scores mean for pages of organisations, where there are any.
    rows = [row for row in rows if row.question.page] or rows
    buffer = io.BytesIO()
    np.savez(buffer, **stored, **calibrated(plain, float(stored["nothing"][1]), rows))
    file.write_bytes(buffer.getvalue())
    print(
        f"{file}: {len(buffer.getvalue()):,} bytes, sha256 {sha256(buffer.getvalue()).hexdigest()}"
    )


def calibrated(
    reader: Reader, nothing: float, rows: list[lessons.TrainingRow]
) -> dict[str, Matrix]:
    """Return slope and intercept for "this answers", and for "nothing does"."""
    chance = np.random.default_rng(5)
    single, whole = [], []
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
