"""Measure how fast the product answers, on a generated corpus of any size."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from lab.benchmarks import report as reports
from lab.benchmarks import searches, turns
from lab.benchmarks.agreement import keyword_agreement
from lab.benchmarks.corpus import Generator, throwaway_hospital
from lab.benchmarks.words import look_ups, resolving
from taxonomy.models import LivePointer
from zol.commands import Measuring
from zol.models import Hospital
from zol.tenancy import serving


class Command(Measuring):
    help = "Prints p50 and p95 of a search and its parts, with their ratio to the dense floor."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--chunks", type=int, default=10_000)

    def measure(self, *, chunks: int, **_: Any) -> dict[str, Any]:
        # A line for every question would hide the figures.
        logging.getLogger("chat").setLevel(logging.WARNING)
        if chunks < 100:
            raise CommandError("Fewer than 100 chunks say nothing; give --chunks 100 or more.")
        generator = Generator(chunks)
        with throwaway_hospital("nl"):
            with tqdm(total=chunks, desc="indexing", disable=None) as bar:
                for more in searches.fill(generator):
                    bar.update(more)
            steps = list(tqdm(searches.measure(generator), desc="measuring", disable=None))
            rows = [step for step in steps if isinstance(step, searches.TimingRow)]
            recall = searches.dense_recall(generator)
            agreement = keyword_agreement(generator)
        rows += self.of_a_turn()
        return reports.as_json(rows, chunks=chunks, recall=recall, agreement=agreement)

    def lines(self, report: Mapping[str, Any]) -> Iterable[str]:
        return reports.lines(report)

    def of_a_turn(self) -> list[searches.TimingRow]:
        """Return the times of a turn and its parts, on the first hospital that is live."""
        hospital = _live_hospital()
        if hospital is None:
            return []
        with serving(hospital):
            found = [*look_ups(), *resolving()]
            return [
                *(searches.TimingRow.of(name, taken) for name, taken in found),
                *turns.measured(),
            ]


def _live_hospital() -> Hospital | None:
    for hospital in Hospital.objects.order_by("pk"):
        with serving(hospital):
            if LivePointer.objects.exists():
                return hospital
    return None
