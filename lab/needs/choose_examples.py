"""Choose the examples of intents that the product comes with, out of all that were written.

    .venv/bin/python -m lab.needs.choose_examples WORK [--most 1200]

All examples are those of `chat/defaults/intent_examples.csv` and of `lab/data`; the chosen ones
are written to the first file and the others to the second, alike at every run. Each intent gets a
share by the square root of how many it has, each language the same part of it. Of these, the next
one is always that which brings all examples of its intent nearest to a chosen one, less what it is
like examples of other intents. `lab.safety.advice read WORK` has read their vectors.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np

from lab.paths import DROPPED_EXAMPLES, INTENT_EXAMPLES
from lab.safety.advice import kept, rows_of, spoken_examples

#: What an example in another language counts for, how much being like other intents costs, and
#: of how many of those.
CROSS, COST, NEAREST = 0.85, 0.4, 10
Rows = list[dict[str, Any]]


def quotas(rows: Rows, most: int) -> dict[tuple[str, str], int]:
    """Return how many examples each intent has in each language, by largest remainders."""
    languages = sorted({row["language"] for row in rows})
    intents = [row["intent"] for row in rows]
    roots = {intent: intents.count(intent) ** 0.5 for intent in sorted(set(intents))}
    each = most / sum(roots.values()) / len(languages)
    wanted = {(i, code): root * each for i, root in roots.items() for code in languages}
    found = {cell: int(share) for cell, share in wanted.items()}
    by_rest = sorted(wanted, key=lambda cell: (found[cell] - wanted[cell], cell))
    for cell in by_rest[: most - sum(found.values())]:
        found[cell] += 1
    return found


def chosen(rows: Rows, vectors: Any, most: int) -> list[int]:
    """Return the places of the chosen examples, in their order."""
    left, found = quotas(rows, most), list[int]()
    intents = np.array([row["intent"] for row in rows])
    languages = np.array([row["language"] for row in rows])
    for intent in sorted(set(intents)):
        places, others = np.flatnonzero(intents == intent), np.flatnonzero(intents != intent)
        said = languages[places]
        alike = vectors[places] @ vectors[places].T
        alike = np.where(said[:, None] == said[None], alike, alike * CROSS)
        rivals = np.sort(vectors[others] @ vectors[places].T, axis=0)[-NEAREST:].mean(axis=0)
        most_of_it = sum(left[intent, code] for code in set(said))
        cost = COST * rivals * len(places) / most_of_it
        near, is_free = np.zeros(len(places)), np.ones(len(places), dtype=bool)
        for _ in range(most_of_it):
            gain = np.maximum(alike - near[:, None], 0).sum(axis=0) - cost
            may = is_free & np.array([left[intent, code] > 0 for code in said])
            if not may.any():
                break
            best = int(np.where(may, gain, -np.inf).argmax())
            is_free[best] = False
            left[intent, str(said[best])] -= 1
            near = np.maximum(near, alike[:, best])
            found.append(int(places[best]))
    return sorted(found)


def write(path: Path, rows: Rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, ("intent", "language", "text"), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def main() -> None:
    """Read the command line, and divide the examples anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--most", type=int, default=1_200)
    options = parser.parse_args()
    rows = [row for path in (INTENT_EXAMPLES, DROPPED_EXAMPLES) for row in rows_of(path)]
    rows.sort(key=lambda row: (row["intent"], row["language"], row["text"]))
    known = kept(options.work / "advice.npz")
    vectors = np.array([known[text] for text in spoken_examples(rows)]) / np.sqrt(2)
    places = set(chosen(rows, vectors, options.most))
    write(INTENT_EXAMPLES, [row for at, row in enumerate(rows) if at in places])
    write(DROPPED_EXAMPLES, [row for at, row in enumerate(rows) if at not in places])


if __name__ == "__main__":
    main()
