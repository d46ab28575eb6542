"""Measure the floors: safety, intents, golden sets, curated answers, cache, departments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.runs import commit
from lab.floors import cache, golden, hospitals, safety, understanding
from lab.floors.figures import lines
from lab.floors.hospitals import DEMONSTRATION, ELSEWHERE
from lab.paths import LAB, ROOT
from zol.commands import chosen_hospital, ensure_writable, write_json
from zol.tenancy import serving

#: Each part with the hospital that it is measured on, what measures it, and about how many seconds
#: that takes: two processes share the parts evenly.
PARTS: Mapping[str, tuple[str, Callable[[], Mapping[str, Any]], int]] = {
    "safety": (DEMONSTRATION, safety.measure, 60),
    "intents": (DEMONSTRATION, understanding.intents, 15),
    "golden": (DEMONSTRATION, golden.measure, 40),
    "elsewhere": (ELSEWHERE, golden.measure, 35),
    "curated": (DEMONSTRATION, understanding.curated, 20),
    "cache": (DEMONSTRATION, cache.measure, 5),
    "departments": (DEMONSTRATION, understanding.departments, 10),
}
PROCESSES = 2
#: What everything is compared with.
BEFORE = LAB / "floors-1.1.0.json"


class Command(BaseCommand):
    help = (
        "Measure every figure that a change may not lower, and print it beside that of 1.1.0. "
        "Loads both hospitals of the repository by itself, into STATE_DIR (.state-lab), again "
        "when default rows, migrations or the code of taxonomy and retrieval changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", default="", metavar="A,B", help=", ".join(PARTS))
        parser.add_argument(
            "--json", type=Path, metavar="FILE", help="write counts and misses here"
        )
        parser.add_argument("--fresh", action="store_true", help="load both hospitals anew")
        parser.add_argument(
            "--before", type=Path, default=BEFORE, metavar="FILE", help="compare with this --json"
        )
        parser.add_argument("--here", action="store_true", help="in one process, as it is loaded")

    def handle(self, *args: Any, **options: Any) -> None:
        named = [name.strip() for name in options["only"].split(",") if name.strip()]
        if unknown := set(named) - PARTS.keys():
            raise CommandError(f"There is no {', '.join(unknown)}; there are {', '.join(PARTS)}.")
        ensure_writable(options["json"])
        wanted = named or list(PARTS)
        if options["here"]:
            parts = {name: measured(name) for name in wanted}
        else:
            try:
                hospitals.ready(Path(settings.STATE_DIR), fresh=options["fresh"])
            except subprocess.CalledProcessError as error:
                raise CommandError("A hospital could not be loaded; see above.") from error
            parts = by_processes(wanted)
        report = {"version": commit()[:8], "parts": {name: parts[name] for name in wanted}}
        if options["json"]:
            write_json(options["json"], report)
        if options["here"]:
            return
        before = options["before"]
        known = json.loads(before.read_text(encoding="utf-8")) if before.is_file() else {}
        for line in lines(report, known):
            self.stdout.write(line)


def measured(name: str) -> dict[str, Any]:
    """Measure a part in this process."""
    slug, measure, _seconds = PARTS[name]
    started = monotonic()
    with serving(chosen_hospital(slug)):
        found = measure()
    return {"seconds": round(monotonic() - started), **found}


def by_processes(names: Iterable[str]) -> dict[str, Any]:
    """Measure parts in two processes side by side."""
    shares: list[list[str]] = [[] for _ in range(PROCESSES)]
    for name in sorted(names, key=seconds_of, reverse=True):
        min(shares, key=lambda share: sum(map(seconds_of, share))).append(name)
    with tempfile.TemporaryDirectory() as folder:
        started = {Path(folder) / f"{at}.json": share for at, share in enumerate(shares) if share}
        running = [begun(share, file) for file, share in started.items()]
        # All are waited for, whether one failed or not.
        if sum(process.wait() != 0 for process in running):
            raise CommandError("A part could not be measured; the lines above say why.")
        found = [json.loads(file.read_text(encoding="utf-8"))["parts"] for file in started]
    return {name: part for each in found for name, part in each.items()}


def seconds_of(name: str) -> int:
    return PARTS[name][2]


def begun(names: Iterable[str], file: Path) -> subprocess.Popen[bytes]:
    """Begin to measure parts in a process of their own."""
    words = ["-m", "lab", "floors", "--here", "--only", ",".join(names), "--json", str(file)]
    environment = os.environ | {"STATE_DIR": str(Path(settings.STATE_DIR).resolve())}
    return subprocess.Popen([sys.executable, *words], cwd=ROOT, env=environment)  # noqa: S603
