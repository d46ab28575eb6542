"""Train the encoder's upper layers to bring questions near to what answers them.

    VENV/bin/python -m lab.reading.search_layers fit WORK UPPER [--minutes N]
    VENV/bin/python -m lab.reading.search_layers ship WORK FILE

WORK has the states of `sites` that `lab.reading.states` keeps; UPPER is the file of the package's
own upper layers that `lab.safety.train read` writes. A question should be nearer to the statements
that answer it than to all others of a batch, and to the passage that they stand in than to other
passages (InfoNCE, van den Oord et al. 2018): most of a batch is of one site, so that neighbours are
told apart. 4 seconds a step on one core.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lab.reading import states
from lab.reading.data import Question
from lab.reading.states import PoolStates
from lab.upper import UPPER, WIDTH, UpperLayers
from retrieval.embedding.e5.encoder import in_bytes

SEED, RATE, TOGETHER = 7, 5e-5, 4_000
#: Windows of a batch: of one site with questions and without, and of others; questions of each.
OWN, NEIGHBOURS, OTHERS, ASKED = 10, 4, 6, 4
#: What passages count beside statements; the sharpness to begin with, and at most.
PASSAGES, SHARP, SHARPEST = 0.6, 30.0, 60.0


@dataclass(slots=True)
class SiteWindows:
    """What is read at once of a site: where each window stands, its statements, who asks of it."""

    pool: PoolStates
    bounds: list[tuple[int, int]]
    said: dict[int, list[int]]
    asked: dict[int, list[tuple[Question, tuple[int, int]]]]

    @classmethod
    def of(cls, pool: PoolStates) -> SiteWindows:
        """Return the windows of a pool: each begins before what its passage is about."""
        begun = pool.spans[:, 0, 0] - 1
        bounds = [(int(at), int(pool.spans[begun == at, 2, 1].max()) + 1)
                  for at in dict.fromkeys(begun.tolist())]  # fmt: skip
        place = {at: number for number, (at, _) in enumerate(bounds)}
        said: dict[int, list[int]] = defaultdict(list)
        for statement, at in enumerate(begun.tolist()):
            said[place[at]].append(statement)
        asked = defaultdict(list)
        for question, (start, end) in zip(pool.pool.questions, pool.asked_spans, strict=True):
            if question.right:
                first = min(place[int(begun[at])] for at in question.right)
                asked[first].append((question, (int(start), int(end))))
        return cls(pool, bounds, dict(said), dict(asked))


def read_on(model: UpperLayers, spans: Sequence[tuple[int, int]], rows: Any) -> list[Tensor]:
    """Return the states of texts as the model reads them on."""
    order = sorted(range(len(spans)), key=lambda at: spans[at][1] - spans[at][0])
    groups: list[list[int]] = [[]]
    for at in order:
        if (len(groups[-1]) + 1) * (spans[at][1] - spans[at][0]) > TOGETHER and groups[-1]:
            groups.append([])
        groups[-1].append(at)
    found: dict[int, Tensor] = {}
    for group in groups:
        longest = max(spans[at][1] - spans[at][0] for at in group)
        x, mask = (
            np.zeros((len(group), longest, WIDTH), np.float32),
            np.zeros((len(group), longest)),
        )
        for row, at in enumerate(group):
            size = spans[at][1] - spans[at][0]
            x[row, :size], mask[row, :size] = rows[slice(*spans[at])], 1
        read = model(torch.from_numpy(x), torch.from_numpy(mask > 0))
        found |= {at: read[row, : spans[at][1] - spans[at][0]] for row, at in enumerate(group)}
    return [found[at] for at in range(len(spans))]


def _batch(sites: Sequence[SiteWindows], chance: random.Random) -> list[tuple[int, int]]:
    """Return windows that are read together, as site and number."""
    at = chance.choices(range(len(sites)), [len(each.asked) for each in sites])[0]
    own = chance.sample(sorted(sites[at].asked), min(OWN, len(sites[at].asked)))
    rest = [number for number in range(len(sites[at].bounds)) if number not in own]
    own += chance.sample(rest, min(NEIGHBOURS, len(rest)))
    others = [chance.randrange(len(sites)) for _ in range(OTHERS)]
    return [(at, number) for number in own] + [
        (other, chance.choice(sorted(sites[other].asked))) for other in others
    ]


def _lost(near: Tensor, right: Tensor, left_out: Tensor | None = None) -> Tensor:
    near = near if left_out is None else near.masked_fill(left_out, -1e4)
    mine = torch.logsumexp(near.masked_fill(~right, -1e4), 1)
    return (torch.logsumexp(near, 1) - mine).mean()


def _loss(
    model: UpperLayers, sharp: Tensor, batch: list[tuple[int, int]],
    sites: Sequence[SiteWindows], rows: Any, chance: random.Random,
) -> Tensor:  # fmt: skip
    windows = read_on(model, [sites[site].bounds[number] for site, number in batch], rows)
    said, names, passages = [], [], []
    for place, ((site, number), read) in enumerate(zip(batch, windows, strict=True)):
        begun = sites[site].bounds[number][0]
        for statement in sites[site].said[number]:
            start, end = (int(each) - begun for each in sites[site].pool.spans[statement, 2])
            said.append(read[start:end].sum(0))
            names.append((site, statement))
            passages.append(place)
    asked = [(site, *each) for site, number in batch for each in _some(sites[site], number, chance)]
    questions = read_on(model, [span for _, _, span in asked], rows)
    vectors = functional.normalize(torch.stack([each.sum(0) for each in questions]), dim=1)
    whole = functional.normalize(torch.stack([each.sum(0) for each in windows]), dim=1)
    right = torch.tensor([[name[0] == site and name[1] in q.right for name in names]
                          for site, q, _ in asked])  # fmt: skip
    helps = torch.tensor([[name[0] == site and name[1] in q.helps for name in names]
                          for site, q, _ in asked])  # fmt: skip
    there = torch.zeros(len(asked), len(batch), dtype=torch.bool)
    for row, column in right.nonzero().tolist():
        there[row, passages[column]] = True
    near = sharp * vectors @ functional.normalize(torch.stack(said), dim=1).T
    return _lost(near, right, helps) + PASSAGES * _lost(sharp * vectors @ whole.T, there)


def _some(site: SiteWindows, number: int, chance: random.Random) -> list[Any]:
    found = site.asked.get(number, [])
    return chance.sample(found, min(ASKED, len(found)))


def fit(work: Path, upper: Path, minutes: float) -> None:
    """Train for so long, on all sites: new questions are the measure."""
    torch.manual_seed(SEED)
    chance = random.Random(SEED)  # noqa: S311 - nothing secret
    pools, rows = states.load(work / "sites")
    sites = [each for each in map(SiteWindows.of, pools) if each.asked]
    model, sharp = UpperLayers(np.load(upper)), nn.Parameter(torch.tensor(math.log(SHARP)))
    steps = torch.optim.AdamW([
        {"params": model.parameters(), "highest": RATE},
        {"params": [sharp], "highest": 1e-3, "weight_decay": 0.0},
    ], weight_decay=0.01)  # fmt: skip
    begun, number = time.monotonic(), 0
    while (done := (time.monotonic() - begun) / 60 / minutes) < 1:
        for group in steps.param_groups:
            group["lr"] = group["highest"] * min(1, number / 60 + 0.01) * max(0.03, 1 - done)
        as_sharp = sharp.exp().clamp(max=SHARPEST)
        loss = _loss(model, as_sharp, _batch(sites, chance), sites, rows, chance)
        steps.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        steps.step()
        number += 1
        if number % 50 == 0:
            print(number, round(float(loss.detach()), 3), flush=True)
    torch.save(model.state_dict(), work / "encoder.pt")


def ship(work: Path, file: Path) -> None:
    """Write the layers in bytes, a scale for each column."""
    stored = {}
    for name, values in _named(torch.load(work / "encoder.pt")):
        if name.endswith(".w") and values.ndim == 2:
            stored[name], stored[f"{name[:-2]}.scales"], _ = in_bytes(values.T, values)
        else:
            stored[name] = values
    np.savez_compressed(file, **stored)


def _named(weights: dict[str, Tensor]) -> Iterator[tuple[str, Any]]:
    for name, values in weights.items():
        _, layer, part, kind = name.split(".")
        yield f"l{UPPER[int(layer)]}.{part}.{kind[0]}", values.numpy()


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["fit", "ship"])
    parser.add_argument("work", type=Path)
    parser.add_argument("what", type=Path)
    parser.add_argument("--minutes", type=float, default=40)
    options = parser.parse_args()
    if options.step == "fit":
        fit(options.work, options.what, options.minutes)
    else:
        ship(options.work, options.what)


if __name__ == "__main__":
    main()
