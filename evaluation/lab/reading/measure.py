"""How often a head puts the right statement first, on what nothing is learned from; needs torch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import torch

from evaluation.lab.reading.lessons import PRIOR, Read, Row, Shelf, prior, rows_of, statement
from evaluation.lab.reading.network import Head, scores

#: Statements that the head looks at, and questions of a language that are measured on the way.
BEST, SOME = 20, 50


def held_rows(shelves: Sequence[Shelf]) -> dict[str, list[Row]]:
    """Return some held questions by language, and some across languages."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows_of(shelves, held=True):
        if row.right:
            kind = "sites" if row.question.page else "across" if row.is_crossing else row.shelf.name
            found[kind].append(row)
    chance = np.random.default_rng(3)
    return {
        name: [
            rows[at]
            for at in chance.permutation(len(rows))[
                : SOME * (4 if name in {"across", "sites"} else 1)
            ]
        ]
        for name, rows in found.items()
    }


def listed(row: Row) -> tuple[Read, np.ndarray]:
    """Return the best statements by what is known before, as a list, with their places."""
    features = prior(row)
    best = np.argsort(-(features @ PRIOR), kind="stable")[:BEST]
    said = [statement(row.shelf, row.pool.spans[at]) for at in best]
    made = Read(row.asked(), [a for a, _ in said], [b for _, b in said], features[best], 0)
    return made, best


@torch.no_grad()
def quickly(model: Head, held: dict[str, list[Row]]) -> dict[str, float]:
    """Return how often head and prior put what is right first, by language."""
    model.eval()
    found = {}
    for name, rows in held.items():
        hits, alone, before = [], [], []
        for at in range(0, len(rows), 8):
            made = [listed(row) for row in rows[at : at + 8]]
            with torch.autocast("cpu", torch.bfloat16):
                every = scores(model, [read for read, _ in made])
            for row, (read, best), own in zip(rows[at : at + 8], made, every, strict=True):
                both = own.float() + torch.from_numpy(read.prior) @ model.prior
                hits.append(int(best[int(both.argmax())]) in row.right)
                alone.append(int(best[int(own.argmax())]) in row.right)
                before.append(int(best[0]) in row.right)
        found[name] = round(float(np.mean(hits)), 3)
        found[f"{name}.alone"] = round(float(np.mean(alone)), 3)
        found[f"{name}.before"] = round(float(np.mean(before)), 3)
    return found
