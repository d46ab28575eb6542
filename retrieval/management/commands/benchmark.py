"""Measure how fast the product answers, on a generated corpus of any size."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from retrieval.analysis import Analyzer
from retrieval.benchmarks import among, report, speed
from retrieval.benchmarks.agreement import keyword_agreement
from retrieval.benchmarks.corpus import Generator
from retrieval.benchmarks.throwaway import throwaway_hospital
from taxonomy.models import LivePointer
from zol.commands import ensure_writable, write_json
from zol.errors import ExpectedError
from zol.models import Hospital
from zol.tenancy import serving

MOST_HOSPITALS = 100


class Command(BaseCommand):
    help = "Prints p50 and p95 of a search and its parts, with their ratio to the dense floor."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--chunks", type=int, default=10_000)
        parser.add_argument(
            "--hospitals",
            type=int,
            default=1,
            metavar="N",
            help="fill N hospitals of 100 to --chunks chunks instead, and time a search in each",
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the report here")

    def handle(self, *, chunks: int, hospitals: int, **options: Any) -> None:
        # A line for every question that is asked here would hide the figures.
        logging.getLogger("chat").setLevel(logging.WARNING)
        if chunks < 100:
            raise CommandError("Fewer than 100 chunks say nothing; give --chunks 100 or more.")
        if not 1 <= hospitals <= MOST_HOSPITALS:
            raise CommandError(f"Give --hospitals from 1 to {MOST_HOSPITALS}.")
        ensure_writable(options["json"])
        try:
            found = self.among(hospitals, chunks) if hospitals > 1 else self.measure(chunks)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            write_json(options["json"], found)
        for line in report.lines(found):
            self.stdout.write(line)

    def measure(self, chunks: int) -> dict[str, Any]:
        generator = Generator(chunks)
        with throwaway_hospital("nl"):
            with tqdm(total=chunks, desc="indexing", disable=None) as bar:
                for more in speed.fill(generator):
                    bar.update(more)
            steps = list(tqdm(speed.measure(generator), desc="measuring", disable=None))
            rows = [step for step in steps if isinstance(step, speed.Row)]
            recall = speed.dense_recall(generator)
            agreement = keyword_agreement(generator, Analyzer("nl"))
        rows += self.sections()
        return report.as_json(rows, chunks=chunks, recall=recall, agreement=agreement)

    def among(self, hospitals: int, chunks: int) -> dict[str, Any]:
        neighbours = []
        total = sum(among.sizes(hospitals, chunks))
        with tqdm(total=total, desc="indexing", disable=None) as bar:
            for step in among.measure(hospitals, chunks):
                if isinstance(step, int):
                    bar.update(step)
                else:
                    neighbours.append(step)
        return report.among_as_json(neighbours)

    def sections(self) -> list[speed.Row]:
        """Return what the other apps measure, on the first hospital that is live."""
        for hospital in Hospital.objects.order_by("pk"):
            with serving(hospital):
                if LivePointer.objects.exists():
                    return [row for section in report.SECTIONS for row in section()]
        return []
