"""`manage.py benchmark_answers`: how soon a remembered answer is found among very many."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.benchmarking_answers import measure
from taxonomy.models import LivePointer
from zol.commands import chosen_hospital, ensure_writable, write_json
from zol.errors import BadInput, ExpectedError
from zol.models import Hospital
from zol.tenancy import serving

#: What each way may take at p95, in milliseconds (spec 09): by words, and by nearness.
BY_WORDS, BY_NEARNESS = 2.0, 10.0
GOALS = {"exact": BY_WORDS, "rewritten": BY_WORDS}


class Command(BaseCommand):
    help = (
        "Time looking an answer up among very many that are remembered. They are made of answers "
        "to example questions, no visitor is given them, and they are forgotten when it ends."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hospital", default="", help="slug; else the first that is live")
        parser.add_argument("--answers", type=int, default=100_000, metavar="N")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the report here")

    def handle(self, *, answers: int, **options: Any) -> None:
        if answers < 1:
            raise CommandError("Give --answers 1 or more.")
        ensure_writable(options["json"])
        try:
            with serving(hospital_to_ask(options["hospital"])):
                size, rows = measure(answers)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        if not rows:
            raise CommandError("No answer to an example question may be remembered here.")
        report = {
            row.name: {
                "p50_ms": round(row.p50_ms, 3),
                "p95_ms": round(row.p95_ms, 3),
                "goal_p95_ms": (goal := GOALS.get(row.name, BY_NEARNESS)),
                "met": row.p95_ms <= goal,
            }
            for row in rows
        }
        if options["json"]:
            write_json(options["json"], {"answers": size, "rows": report})
        self.stdout.write(f"{size:,} remembered answers, looked up without embedding anything")
        self.stdout.write(f"{'':<24}{'p50 ms':>9}{'p95 ms':>9}  goal at p95")
        for name, each in report.items():
            said = "met" if each["met"] else "missed"
            times = f"{each['p50_ms']:>9.2f}{each['p95_ms']:>9.2f}"
            self.stdout.write(f"{name:<24}{times}  {each['goal_p95_ms']:g}: {said}")


def hospital_to_ask(slug: str) -> Hospital:
    """Return the hospital that is named, else the first that is live."""
    if slug:
        return chosen_hospital(slug)
    for hospital in Hospital.objects.order_by("pk"):
        with serving(hospital):
            if LivePointer.objects.exists():
                return hospital
    raise BadInput("No hospital has a published version: there is nobody to ask.")
