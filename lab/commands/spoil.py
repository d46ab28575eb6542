"""Run recorded turns through the product, spoiled and not, and print what visitors see."""

from __future__ import annotations

import subprocess
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from lab.floors import hospitals
from lab.recorded import turns as sets
from lab.spoil.risky import risky_words
from lab.spoil.runs import CLOCK, ROWS, Stage, report, written


class Command(BaseCommand):
    help = (
        "Measure what the model engine shows of right and of spoiled statements, over recorded "
        "replies and real HTTP. Loads both hospitals into STATE_DIR (.state-lab) by itself, and "
        "starts the product and the endpoint."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sets", default="", metavar="A,B", help="recorded sets; else all")
        parser.add_argument("--rows", default="", metavar="A,B", help=", ".join(ROWS))
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--at-once", type=int, default=2, help="visitors at the same time")
        parser.add_argument("--least", type=int, help="statements to spoil a row; else as printed")
        parser.add_argument("--turns", type=int, default=0, help="only so many conversations")
        parser.add_argument(
            "--out", type=Path, metavar="FOLDER", help="write answers and misses for readers here"
        )
        parser.add_argument(
            "--product", default="", metavar="URL",
            help="ask a product that runs already and has the endpoint at --port as its model",
        )  # fmt: skip
        parser.add_argument("--port", type=int, default=0, help="of the endpoint; else a free one")
        parser.add_argument(
            "--clock", default=CLOCK, metavar="TIME",
            help="when it is: 2026-11-30T19:15 for evening-2026-11-30",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        rows = [each.strip() for each in options["rows"].split(",") if each.strip()] or list(ROWS)
        if unknown := set(rows) - ROWS.keys():
            raise CommandError(f"There is no {', '.join(unknown)}; there are {', '.join(ROWS)}.")
        wanted = [each.strip() for each in options["sets"].split(",") if each.strip()]
        if unknown := set(wanted) - set(sets.names()):
            raise CommandError(f"No such set: {', '.join(unknown)}.")
        conversations, calls = sets.recorded(wanted)
        state = Path(settings.STATE_DIR)
        try:
            hospitals.ready(state)
        except subprocess.CalledProcessError as error:
            raise CommandError("A hospital could not be loaded; see above.") from error
        stage = Stage(
            conversations[: options["turns"] or None], calls, state,
            seed=options["seed"], at_once=options["at_once"], running=options["product"],
            port=options["port"], clock=options["clock"], say=self.stderr.write,
        )  # fmt: skip
        for name in rows:
            row = ROWS[name]
            if options["least"] is not None and row.least:
                row = replace(row, least=options["least"])
            tally, library = stage.run(row)
            for line in report(row, tally, library, risky_words()):
                self.stdout.write(line)
            if options["out"]:
                written(options["out"], name, tally, library)
