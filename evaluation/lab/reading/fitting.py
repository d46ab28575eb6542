"""Fitting a head, step by step, with checkpoints to go on from; needs torch.

On the way it is measured how often it puts the right statement first, on what nothing is learned
from.
"""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from evaluation.lab.reading import lessons, network
from evaluation.lab.reading.lessons import (
    PRIOR,
    PoolShelf,
    TrainingList,
    TrainingRow,
    prior,
    rows_of,
    statement,
)
from evaluation.lab.reading.network import Head, scores

#: Statements that the head looks at, and questions of a language that are measured on the way.
BEST, SOME = 20, 50


def held_rows(shelves: Sequence[PoolShelf]) -> dict[str, list[TrainingRow]]:
    """Return some held questions by language, and some across languages."""
    found: dict[str, list[TrainingRow]] = defaultdict(list)
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


def listed(row: TrainingRow) -> tuple[TrainingList, np.ndarray]:
    """Return the best statements by what is known before, as a list, with their places."""
    features = prior(row)
    best = np.argsort(-(features @ PRIOR), kind="stable")[:BEST]
    said = [statement(row.shelf, row.pool.spans[at]) for at in best]
    made = TrainingList(row.asked(), [a for a, _ in said], [b for _, b in said], features[best], 0)
    return made, best


@torch.no_grad()
def quickly(model: Head, held: dict[str, list[TrainingRow]]) -> dict[str, float]:
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


#: The highest rate of learning, lists of a step, and steps between two checkpoints.
RATE, LISTS, CHECK = 1e-3, 16, 150
#: The share of rows with question and article in different languages.
CROSSING = 0.3


@dataclass(frozen=True, slots=True)
class FitPlan:
    """What to fit on: pairs of question and statement, and which part of the questions."""

    work: Path
    name: str
    pairs: int
    seed: int
    only: str
    part: float

    @property
    def steps(self) -> int:
        return self.pairs // (LISTS * lessons.SIZE)

    def shelves(self) -> list[lessons.PoolShelf]:
        """Return the collections that were read, or those that are named."""
        narrowing = np.load(self.work / "narrowing.npz")
        wanted = self.only.split(",") if self.only else None
        return [
            lessons.shelf(path, narrowing["mean"], narrowing["directions"])
            for path in collections(self.work)
            if wanted is None or path.name in wanted
        ]


def collections(work: Path) -> list[Path]:
    return sorted(path.parent for path in work.glob("*/pools.pickle"))


class Fitting:
    """A head on its way, with what moves it."""

    def __init__(self, plan: FitPlan) -> None:
        torch.manual_seed(plan.seed)
        self._plan, self.step = plan, 0
        self._model = network.Head()
        self._rule = torch.optim.AdamW(self._model.parameters(), lr=RATE, weight_decay=0.01)
        self._file = plan.work / f"{plan.name}.pt"
        if self._file.is_file():
            found = torch.load(self._file)
            self.step = found["step"]
            self._model.load_state_dict(found["model"])
            self._rule.load_state_dict(found["rule"])

    def learn(self, taught: lessons.TrainingLists) -> float:
        """Take one step; return what was lost."""
        done = self.step / self._plan.steps
        rate = RATE * min(1.0, done / 0.05 + 0.02) * max(0.01, 1 - done)
        self._rule.param_groups[0]["lr"] = rate
        # Of the step, so that what was cut off goes on as if it had not been.
        chance = random.Random(f"{self._plan.seed} {self.step}")  # noqa: S311 - nothing secret
        self._model.train()
        with torch.autocast("cpu", torch.bfloat16):
            loss = network.loss(self._model, [taught.take(chance) for _ in range(LISTS)])
        self._rule.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._rule.step()
        self.step += 1
        return loss.item()

    def keep(self, held: dict[str, list[lessons.TrainingRow]], lost: float, seconds: float) -> None:
        """Write a checkpoint, and a line of the learning curve."""
        model, rule = self._model.state_dict(), self._rule.state_dict()
        torch.save({"step": self.step, "model": model, "rule": rule}, self._file)
        told = {"pairs": self.step * LISTS * lessons.SIZE, "loss": round(lost, 4)}
        line = json.dumps(told | quickly(self._model, held) | {"seconds": round(seconds)})
        with self._file.with_suffix(".curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        print(line, flush=True)


def fit(plan: FitPlan) -> None:
    """Fit a head, going on after the last checkpoint."""
    shelves = plan.shelves()
    taught = lessons.TrainingLists(shelves, CROSSING, plan.part, plan.seed)
    print(taught.describe(), "pairs of an epoch:", taught.size * lessons.SIZE, flush=True)
    held, fitting = held_rows(shelves), Fitting(plan)
    begun, lost = time.monotonic(), []
    while fitting.step < plan.steps:
        lost.append(fitting.learn(taught))
        if fitting.step % CHECK == 0 or fitting.step == plan.steps:
            fitting.keep(held, sum(lost) / len(lost), time.monotonic() - begun)
            lost = []
