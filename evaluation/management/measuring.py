"""What commands that measure share: whom and what they ask, a report as JSON, lines for people."""

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


class Measuring(BaseCommand):
    """Measure something, and show what was found."""

    #: Measure, given the options by name, and return the report; none where all is told already.
    measure: Callable[..., Mapping[str, Any] | None]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", type=Path, metavar="FILE", help="write everything here")

    def handle(self, *_: Any, **options: Any) -> None:
        ensure_writable(options["json"])
        try:
            report = self.measure(**options)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        if report is not None:
            self.tell(report, options["json"])

    def tell(self, report: Mapping[str, Any], file: Path | None) -> None:
        """Show a report, and write it where that is asked for."""
        for line in self.lines(report):
            self.stdout.write(line)
        if file:
            write_json(file, report)

    def lines(self, report: Mapping[str, Any]) -> Iterable[str]:
        raise NotImplementedError


class Benchmark(Measuring):
    """Measure speed: a line for every question that is asked would hide the figures."""

    def handle(self, *args: Any, **options: Any) -> None:
        logging.getLogger("chat").setLevel(logging.WARNING)
        super().handle(*args, **options)


class OfGolden(Measuring):
    """Measure by golden questions of a hospital, all or some."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")
        parser.add_argument(
            "--golden", type=Path, metavar="FILE", help="instead of the stored ones"
        )
        parser.add_argument("--category", default="", help="only questions of this category")
        parser.add_argument("--language", default="", help="only questions in this language")


def hospital_to_ask(slug: str = "") -> Hospital:
    """Return the hospital that is named, else the first that is live."""
    if slug:
        return chosen_hospital(slug)
    for hospital in Hospital.objects.order_by("pk"):
        with serving(hospital):
            if LivePointer.objects.exists():
                return hospital
    raise BadInput("No hospital has a published version: there is nobody to ask.")
