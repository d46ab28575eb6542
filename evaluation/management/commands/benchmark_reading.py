"""`manage.py benchmark_reading FOLDER`: which statement answers, and whether any does."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from evaluation.lab.reading import asking, data, lessons, states
from evaluation.lab.reading.asking import ACROSS, WAYS, AskingFigures
from retrieval.reader import FILE, reader


class Command(BaseCommand):
    """Measures the reader beside words and vectors, on what it did not learn from."""

    help = (
        "Ask the questions of a folder (the forms of evaluation/lab/reading/data.py) over articles "
        "or sites that nothing was learned from: how often the right statement comes first, and "
        "how surely a question without an answer is told from one with (AUC)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--reader", type=Path, default=FILE, help="another file of a reader")
        parser.add_argument(
            "--all", action="store_true", help="nothing was learned from the folder"
        )
        parser.add_argument("--most", type=int, default=0, help="questions of a kind at most")

    def handle(self, *_: Any, **options: Any) -> None:
        pools = data.pools_of(options["folder"])
        for pool in pools:
            pool.is_held = pool.is_held or options["all"]
        pools = [pool for pool in pools if pool.is_held]
        if not pools:
            raise CommandError(
                f"{options['folder']} has no questions that nothing was learned from."
            )
        found: dict[str, AskingFigures] = {}
        learned = reader(options["reader"])
        with TemporaryDirectory() as kept:
            states.read(pools, Path(kept))
            shelves = [
                lessons.shelf(path, learned.mean, learned.directions)
                for path in sorted(Path(kept).iterdir())
            ]
            rows = some(list(lessons.rows_of(shelves, held=True)), options["most"])
            for row, figures in tqdm(asking.measured(rows, learned), total=len(rows), disable=None):
                found[asking.kind_of(row)] = figures
        for line in table(found):
            self.stdout.write(line)
        self.stdout.write(f"reader {learned.digest[:12]}")


def some(rows: list[lessons.TrainingRow], most: int) -> list[lessons.TrainingRow]:
    """Return so many rows of each kind, by chance that can be had again; all where it is 0."""
    order = np.random.default_rng(11).permutation(len(rows))
    taken: dict[str, int] = {}
    chosen = []
    for at in order:
        kind = asking.kind_of(rows[at])
        taken[kind] = taken.get(kind, 0) + 1
        if not most or taken[kind] <= most:
            chosen.append(rows[at])
    return chosen


def table(found: dict[str, AskingFigures]) -> Iterator[str]:
    """Yield a line for each kind, and the mean of the parallel languages."""
    yield (
        f"{'':<12}{'questions':>10}"
        + "".join(f"{way:>15}" for way in WAYS)
        + f"{'nothing, AUC':>15}"
    )
    for name, each in sorted(found.items(), key=lambda pair: (pair[0] == ACROSS, pair[0])):
        shares = "".join(f"{each.first(way):>15.3f}" for way in WAYS)
        yield f"{name:<12}{len(each.answered):>10}{shares}{each.auc():>15.3f}"
    parallel = [found[name] for name in data.PARALLEL if name in found]
    if parallel:
        means = (float(np.mean([each.first(way) for each in parallel])) for way in WAYS)
        yield f"{'mean of ' + str(len(parallel)):<22}" + "".join(f"{each:>15.3f}" for each in means)
