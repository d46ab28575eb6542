"""Train the reader: `read`, `fit`, `ship`, each from the files before.

    .venv/bin/python -m evaluation.lab.reading.train read WORK FOLDER…   the encoder's states
    VENV/bin/python -m evaluation.lab.reading.train fit WORK [--pairs N] [--seed S] [--name NAME]
    VENV/bin/python -m evaluation.lab.reading.train ship WORK FILE [--name NAME]   what the product reads

A FOLDER has articles or pages with questions in the forms of `data.py`. The last two need
`../safety/requirements.txt`. A collection that was read is kept; `fit` goes on after its last
checkpoint. `NAME.curve.jsonl` tells, for each so many pairs, how often the right statement came first
in articles and sites that nothing is learned from. On one core reading takes a quarter of an hour,
1,000 pairs take 5 seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

#: The highest rate of learning, lists of a step, and steps between two checkpoints.
RATE, LISTS, CHECK = 1e-3, 16, 150


def read(work: Path, folders: list[Path]) -> None:
    """Keep the states of all pools and questions, and in which directions they differ."""
    import numpy as np  # noqa: PLC0415

    from evaluation.lab.reading import data, lessons, states  # noqa: PLC0415

    work.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        states.read(data.pools_of(folder), work)
    if not (work / "narrowing.npz").is_file():
        mean, directions = lessons.narrowing(collections(work))
        np.savez(work / "narrowing.npz", mean=mean, directions=directions)


def collections(work: Path) -> list[Path]:
    return sorted(path.parent for path in work.glob("*/pools.pickle"))


def fit(work: Path, name: str, pairs: int, seed: int, only: str, part: float) -> None:
    """Fit a head, going on after the last checkpoint."""
    import numpy as np  # noqa: PLC0415
    import torch  # noqa: PLC0415

    from evaluation.lab.reading import lessons, measure, network  # noqa: PLC0415

    wanted = [path for path in collections(work) if not only or path.name in only.split(",")]
    narrowing = np.load(work / "narrowing.npz")
    shelves = [lessons.shelf(path, narrowing["mean"], narrowing["directions"]) for path in wanted]
    taught = lessons.Lessons(shelves, {}, 0.3, part, seed)
    torch.manual_seed(seed)
    model = network.Head()
    steps, kept, begun = pairs // (LISTS * lessons.SIZE), work / f"{name}.pt", 0
    rule = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    if kept.is_file():
        found = torch.load(kept)
        begun = found["step"]
        model.load_state_dict(found["model"])
        rule.load_state_dict(found["rule"])
    print(taught.describe(), "pairs of an epoch:", taught.size * lessons.SIZE, flush=True)
    held = measure.held_rows(shelves)
    since, lost = time.monotonic(), []
    for step in range(begun, steps):
        done = step / steps
        rule.param_groups[0]["lr"] = RATE * min(1.0, done / 0.05 + 0.02) * max(0.01, 1 - done)
        chance = random.Random(f"{seed} {step}")  # noqa: S311 - nothing secret
        lists = [taught.take(chance) for _ in range(LISTS)]
        model.train()
        with torch.autocast("cpu", torch.bfloat16):
            loss = network.loss(model, lists)
        rule.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        rule.step()
        lost.append(loss.item())
        if (step + 1) % CHECK == 0 or step + 1 == steps:
            saved = {"step": step + 1, "model": model.state_dict(), "rule": rule.state_dict()}
            torch.save(saved, kept)
            row = {"pairs": (step + 1) * LISTS * lessons.SIZE, "loss": round(sum(lost) / len(lost), 4)}
            row |= measure.quickly(model, held) | {"seconds": round(time.monotonic() - since)}
            lost = []
            with (work / f"{name}.curve.jsonl").open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(json.dumps(row), flush=True)


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["read", "fit", "ship"])
    parser.add_argument("work", type=Path)
    parser.add_argument("what", nargs="*", type=Path)
    parser.add_argument("--name", default="head")
    parser.add_argument("--pairs", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="collections to learn from, and measure on")
    parser.add_argument("--part", type=float, default=1.0, help="share of the questions, for a curve")
    options = parser.parse_args()
    if options.step == "read":
        read(options.work, options.what)
    elif options.step == "fit":
        fit(
            options.work, options.name, options.pairs, options.seed, options.only, options.part
        )  # fmt: skip
    else:
        from evaluation.lab.reading import shipping  # noqa: PLC0415

        shipping.write(options.work, options.name, options.what[0])


if __name__ == "__main__":
    main()
