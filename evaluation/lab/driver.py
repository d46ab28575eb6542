"""What the benchmarks share: one hospital to ask, a report as JSON, and its lines for people."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from taxonomy.models import LivePointer
from zol.commands import chosen_hospital, ensure_writable, write_json
from zol.errors import BadInput, ExpectedError
from zol.models import Hospital
from zol.tenancy import serving


class Benchmark(BaseCommand):
    """Measure something, and show what was found."""

    #: Measure, given the options by name, and return the report.
    measure: Callable[..., Mapping[str, Any]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the report here")

    def handle(self, *_: Any, **options: Any) -> None:
        # A line for every question that is asked here would hide the figures.
        logging.getLogger("chat").setLevel(logging.WARNING)
        file = options.pop("json")
        ensure_writable(file)
        try:
            report = self.measure(**options)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        if file:
            write_json(file, report)
        for line in self.lines(report):
            self.stdout.write(line)

    def lines(self, report: Mapping[str, Any]) -> Iterable[str]:
        raise NotImplementedError


def hospital_to_ask(slug: str = "") -> Hospital:
    """Return the hospital that is named, else the first that is live."""
    if slug:
        return chosen_hospital(slug)
    for hospital in Hospital.objects.order_by("pk"):
        with serving(hospital):
            if LivePointer.objects.exists():
                return hospital
    raise BadInput("No hospital has a published version: there is nobody to ask.")
