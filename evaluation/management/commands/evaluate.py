"""`manage.py evaluate`: run the golden questions through the real pipeline."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from django.core.management.base import CommandError

from chat.wiring import MODEL
from evaluation import reports, runs
from evaluation.figures import report_json
from evaluation.golden import Case, as_json
from evaluation.models import Run
from evaluation.reports import FLAGS, Combination, factorial, factors_of, flags_of
from evaluation.tasks import ask_case
from zol.commands import Measuring, ProgressBar, chosen_hospital, has_ended, workers
from zol.errors import BadInput, ExpectedError
from zol.models import Hospital
from zol.tenancy import serving

QUEUE = "evaluation"
#: Seconds between two polls of the run, and without a result until the workers count as gone.
TICK, LOST = 0.25, 60.0


class WorkersGone(ExpectedError):
    """Raised when the workers ended before the run did, or do not answer."""


def ask_here(run: Run, cases: Sequence[Case], output: Any) -> None:
    """Ask the remaining questions of a run, one after the other."""
    left = runs.pending(run, cases)
    runs.warm_up(run, left)
    with ProgressBar(output, len(cases), done=len(cases) - len(left)) as progress:
        for case in left:
            runs.ask(run, case)
            progress.advance()


def ask_by_workers(run: Run, cases: Sequence[Case], output: Any) -> None:
    """Let Celery ask the questions of a run, and wait for the results."""
    with workers(QUEUE, output) as own, ProgressBar(output, len(cases)) as progress:
        left = runs.pending(run, cases)
        for case in left:
            ask_case.delay(run.hospital_id, run.pk, as_json(case))
        moved = time.monotonic()
        while left:
            if done := len(cases) - len(left) - progress.done:
                progress.advance(done)
                moved = time.monotonic()
            if has_ended(own) or time.monotonic() - moved > LOST:
                raise WorkersGone(
                    f"No worker answers: look in its log, then run: evaluate --resume {run.pk}"
                )
            time.sleep(TICK)
            left = runs.pending(run, cases)
        progress.advance(len(cases) - progress.done)


#: Key of a figure, its title and the width of its column.
Columns: TypeAlias = tuple[tuple[str, str, int], ...]
COLUMNS: Columns = (
    ("questions", "questions", 9),
    ("passed", "passed", 7),
    ("pass_rate", "pass", 7),
    ("entity_recall", "recall", 7),
    ("source_hit", "source", 7),
    ("intent_accuracy", "intent", 7),
    ("language_accuracy", "lang", 6),
    ("ndcg@10", "nDCG", 6),
    ("p95_ms", "p95 ms", 8),
)
#: Columns of the second table: quality of the answers that pass.
GOOD: Columns = (
    ("plain", "plain", 7),
    ("complete", "complete", 8),
    ("early", "early", 7),
    ("brief", "brief", 7),
    ("certain", "certain", 7),
    ("answered", "answered", 8),
    ("whole", "whole", 7),
    ("in_language", "language", 8),
    ("passage_in_language", "passage", 7),
)


class Command(Measuring):
    help = "Ask the golden questions and judge the answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")
        parser.add_argument(
            "--golden",
            type=Path,
            metavar="FILE",
            help="ask the questions of this file instead of the stored ones",
        )
        parser.add_argument("--category", default="", help="only questions of this category")
        parser.add_argument("--language", default="", help="only questions in this language")
        parser.add_argument(
            "--flag", action="append", default=[], metavar="NAME=on|off", help=", ".join(FLAGS)
        )
        parser.add_argument(
            "--engine", choices=["embedded", "model"], default="embedded",
            help="engine that answers; a model costs money, within the day's budget",
        )  # fmt: skip
        parser.add_argument(
            "--ablate",
            default="",
            metavar="A,B,C",
            help="ask with every combination of these switches, and print the effect of each",
        )
        parser.add_argument("--resume", type=int, metavar="RUN", help="resume this run")
        parser.add_argument("--celery", action="store_true", help="let workers ask the questions")
        parser.add_argument(
            "--fail-under",
            type=float,
            metavar="SHARE",
            help="exit with status 1 below this pass rate",
        )

    def lines(self, report: Mapping[str, Any]) -> Iterator[str]:
        return effects(report) if "cells" in report else table(report)

    def measure(self, **options: Any) -> Mapping[str, Any] | None:
        hospital = chosen_hospital(options["hospital"])
        with serving(hospital):
            if options["ablate"]:
                return self._ablate(options)
            self._evaluate(hospital, options)
        return None

    def _ablate(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run every combination of some switches; return the effects."""
        if any(options[name] for name in ("resume", "flag", "celery")):
            raise BadInput("--ablate sets the switches: add only options that select questions.")
        factors, selection = factors_of(options["ablate"]), selection_of(options)
        cases, settings = runs.chosen(selection), factorial(factors)
        cells = []
        for number, flags in enumerate(settings, start=1):
            self.stdout.write(f"Cell {number} of {len(settings)}: {switches(flags)}.")
            run = runs.start_run(cases, flags=flags, selection=selection, note="ablation")
            ask_here(run, cases, self.stdout)
            runs.finish(run)
            cells.append(Combination(flags, run.pk, runs.results_of(run, cases)))
        return reports.report_json(cells, factors, runs.versions({}))

    def _evaluate(self, hospital: Hospital, options: Mapping[str, Any]) -> None:
        run, cases = self._resumed(hospital, options) if options["resume"] else self._new(options)
        self.stdout.write(f"Run {run.pk}: {len(cases)} questions, {switches(run.flags)}.")
        self.stdout.flush()
        ask = ask_by_workers if options["celery"] else ask_here
        ask(run, cases, self.stdout)
        runs.finish(run)
        self._tell(run, cases, options)

    def _new(self, options: Mapping[str, Any]) -> tuple[Run, Sequence[Case]]:
        selection = selection_of(options)
        cases = runs.chosen(selection)
        flags = flags_of(options["flag"]) | {MODEL: options["engine"] == "model"}
        return runs.start_run(cases, flags=flags, selection=selection), cases

    def _resumed(
        self, hospital: Hospital, options: Mapping[str, Any]
    ) -> tuple[Run, Sequence[Case]]:
        """Resume a run with its own switches and selection."""
        if options["flag"] or options["category"] or options["language"]:
            raise BadInput("--resume keeps the switches and questions: add no other options.")
        run = runs.run_of(options["resume"], hospital)
        moved = {"golden": str(options["golden"])} if options["golden"] else {}
        cases = runs.chosen({**run.selection, **moved})
        runs.resume(run, cases)
        return run, cases

    def _tell(self, run: Run, cases: Sequence[Case], options: Mapping[str, Any]) -> None:
        report = report_json(runs.results_of(run, cases), run.versions)
        self.print_report(report, options["json"])
        least = options["fail_under"]
        if least is not None and report["summary"]["pass_rate"] < least:
            raise CommandError(
                f"The pass rate is below {least}: {report['summary']['pass_rate']:.4f}."
            )


def selection_of(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the selection of golden questions."""
    return {
        "golden": str(options["golden"].resolve()) if options["golden"] else "",
        "category": options["category"],
        "language": options["language"],
    }


def switches(flags: Mapping[str, bool]) -> str:
    return ", ".join(f"{name} {'on' if is_on else 'off'}" for name, is_on in sorted(flags.items()))


def table(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the figures by category, by language and in total as lines."""
    total = report["summary"]
    for columns in (COLUMNS, GOOD):
        yield f"{'':<24}" + "".join(f"{title:>{width + 1}}" for _, title, width in columns)
        for part in ("categories", "languages"):
            for name, figures in report[part].items():
                yield row(name, figures, columns)
            yield ""
        yield row("all", total, columns)
    refused = cell(total["refusal_accuracy"], 0).strip()
    yield f"Refusals right: {refused}. p50 {total['p50_ms']} ms, p95 {total['p95_ms']} ms."
    for result in report["results"]:
        if not result["passed"]:
            yield f"FAILED {result['id']}: {'; '.join(result['reasons'])}"


def row(name: str, figures: Mapping[str, Any], columns: Columns) -> str:
    return f"{name:<24}" + "".join(
        f"{cell(figures[key], width):>{width + 1}}" for key, _, width in columns
    )


def cell(value: float | None, width: int) -> str:
    if value is None:
        return "–".rjust(width)
    if isinstance(value, int):
        return str(value).rjust(width)
    return (f"{value:.3f}" if value <= 1 else f"{value:.1f}").rjust(width)


def effects(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the cells of an ablation and the effects with intervals as lines."""
    factors = report["flags"]
    yield "".join(f"{name:>17}" for name in factors) + f"{'pass':>9}{'recall':>9}{'p95 ms':>9}"
    for cell in report["cells"]:
        states = "".join(f"{'on' if cell['flags'][name] else 'off':>17}" for name in factors)
        recall = cell["entity_recall"]
        shown = "–" if recall is None else f"{recall:.3f}"
        yield f"{states}{cell['pass_rate']:>9.3f}{shown:>9}{cell['p95_ms']:>9.1f}"
    for title, part in (("Main effects", "main_effects"), ("Interactions", "interactions")):
        for measure, found in report[part].items():
            if found:
                yield f"{title} on {measure} (95 % interval):"
            for name, each in found.items():
                between = f"{each['low']:+.3f} … {each['high']:+.3f}"
                yield f"  {name:<32}{each['effect']:+.3f} ({between})"
