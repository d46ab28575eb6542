"""Train the reader: `read`, `fit`, `ship`, each from the files before.

    .venv/bin/python -m evaluation.lab.reading.train read WORK FOLDER…   the encoder's states
    VENV/bin/python -m evaluation.lab.reading.train fit WORK [--pairs N] [--seed S] [--name NAME]
    VENV/bin/python -m evaluation.lab.reading.train ship WORK FILE [--name NAME]

A FOLDER has articles or pages with questions in the forms of `data.py`. The last two need
`../requirements.txt` beside the product's own. A collection that was read is kept (after
adding questions, remove its folder in WORK); `fit` goes on after its last checkpoint.
`NAME.curve.jsonl` tells, for each so many pairs, how often the right statement came first in
articles and sites that nothing is learned from. On one core reading takes a quarter of an hour,
1,000 pairs take 5 seconds.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")


def read(work: Path, folders: list[Path]) -> None:
    """Keep the states of all pools and questions, and in which directions they differ."""
    from evaluation.lab.reading import data, lessons, states  # noqa: PLC0415 - after the settings

    work.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        states.read(data.pools_of(folder), work)
    lessons.keep_narrowing(work)


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["read", "fit", "ship"])
    parser.add_argument("work", type=Path)
    parser.add_argument("what", nargs="*", type=Path)
    parser.add_argument("--name", default="head")
    parser.add_argument("--pairs", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="collections to learn from and measure on")
    parser.add_argument("--part", type=float, default=1.0, help="share of questions, for a curve")
    options = parser.parse_args()
    if options.step == "read":
        read(options.work, options.what)
        return
    from evaluation.lab.reading import fitting, shipping  # noqa: PLC0415 - need torch

    plan = fitting.FitPlan(
        options.work, options.name, options.pairs, options.seed, options.only, options.part
    )
    if options.step == "fit":
        fitting.fit(plan)
    else:
        shipping.write(plan, options.what[0])


if __name__ == "__main__":
    main()
