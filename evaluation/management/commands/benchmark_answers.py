"""`manage.py benchmark_answers`: how soon a remembered answer is found among very many."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.management.base import CommandError

from evaluation.lab.benchmarks.remembered import measure
from evaluation.lab.driver import Benchmark, hospital_to_ask
from zol.tenancy import serving

#: What each way may take at p95, in milliseconds (spec 09): by words, and by nearness.
BY_WORDS, BY_NEARNESS = 2.0, 10.0
GOALS = {"exact": BY_WORDS, "rewritten": BY_WORDS}


class Command(Benchmark):
    help = (
        "Time looking an answer up among very many that are remembered. They are made of answers "
        "to example questions, no visitor is given them, and they are forgotten when it ends."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--hospital", default="", help="slug; else the first that is live")
        parser.add_argument("--answers", type=int, default=100_000, metavar="N")

    def measure(self, *, answers: int, hospital: str, **_: Any) -> Mapping[str, Any]:
        if answers < 1:
            raise CommandError("Give --answers 1 or more.")
        with serving(hospital_to_ask(hospital)):
            size, rows = measure(answers)
        if not rows:
            raise CommandError("No answer to an example question may be remembered here.")
        found = {
            row.name: {
                "p50_ms": round(row.p50_ms, 3),
                "p95_ms": round(row.p95_ms, 3),
                "goal_p95_ms": (goal := GOALS.get(row.name, BY_NEARNESS)),
                "met": row.p95_ms <= goal,
            }
            for row in rows
        }
        return {"answers": size, "rows": found}

    def lines(self, report: Mapping[str, Any]) -> Iterator[str]:
        yield f"{report['answers']:,} remembered answers, looked up without embedding anything"
        yield f"{'':<24}{'p50 ms':>9}{'p95 ms':>9}  goal at p95"
        for name, each in report["rows"].items():
            said = "met" if each["met"] else "missed"
            times = f"{each['p50_ms']:>9.2f}{each['p95_ms']:>9.2f}"
            yield f"{name:<24}{times}  {each['goal_p95_ms']:g}: {said}"
