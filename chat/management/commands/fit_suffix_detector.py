"""`manage.py fit_suffix_detector`: thresholds from known attacks and from what people write."""

from __future__ import annotations

import csv
import json
import re
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.models import FixedText, IntentExample
from chat.safety.fitting import Fitted, fit

DEFAULTS = (IntentExample.defaults, FixedText.defaults)
_TEMPLATE = re.compile(r"[{}*_#|]")


class Command(BaseCommand):
    help = (
        "Fit the thresholds of the suffix detector: attacks from a file (a line of JSON with a "
        "text each), ordinary sentences from the default rows and from further files (with a "
        "language each). Prints the rows, and what families of attacks would be caught when they "
        "are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--attacks", type=Path, required=True, metavar="FILE")
        parser.add_argument(
            "--ordinary", type=Path, nargs="*", default=[], metavar="FILE", help=".jsonl or .csv"
        )
        parser.add_argument("--write", type=Path, metavar="FILE", help="write the rows here")

    def handle(self, *args: Any, **options: Any) -> None:
        attacks = [row["text"] for row in _rows(options["attacks"])]
        ordinary: defaultdict[str, list[str]] = defaultdict(list)
        for file in [*filter(None, DEFAULTS), *options["ordinary"]]:
            for row in _rows(file):
                ordinary[row["language"]].append(_TEMPLATE.sub("", row["text"]))
        if not attacks:
            raise CommandError("The file has no attacks.")
        fitted = fit(ordinary, attacks)
        self._tell(fitted)
        if options["write"]:
            with options["write"].open("w", encoding="utf-8", newline="") as file:
                _write(fitted, file)
        else:
            _write(fitted, sys.stdout)

    def _tell(self, fitted: Fitted) -> None:
        self.stderr.write(f"caught: {fitted.caught:.1%} of the attacks")
        for family, (size, caught) in sorted(fitted.left_out.items(), key=lambda item: -item[1][0]):
            self.stderr.write(f"left out: {caught} of {size} · {family[:60]}")
        self.stderr.write(f"mistaken for attacks: {len(fitted.mistaken)}")
        for text in fitted.mistaken:
            self.stderr.write(f"  {text}")


def _rows(file: Path) -> list[dict[str, str]]:
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".csv":
            return list(csv.DictReader(text.splitlines()))
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise CommandError(f"{file}: {error}") from error


def _write(fitted: Fitted, file: Any) -> None:
    rows: Iterable[tuple[str, str, float]] = (
        (language, signal, value)
        for language, values in fitted.limits.items()
        for signal, value in values.items()
    )
    csv.writer(file, lineterminator="\n").writerows([("language", "signal", "value"), *rows])
