"""`manage.py evaluate`: the golden questions through the real pipeline."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from django.core.management.base import CommandError

from evaluation import cases as golden
from evaluation import grades, reading, reports, services
from evaluation.cases import Case
from evaluation.commands import GoldenCommand, ProgressBar, ask_by_workers, ask_here
from evaluation.configurations import FLAGS, MODES, flags_of
from evaluation.models import Run
from evaluation.services import FILES
from evaluation.summaries import report_json
from zol.commands import chosen_hospital, ensure_writable, write_json
from zol.errors import BadInput
from zol.models import Hospital
from zol.tenancy import serving

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
#: How good what passes is, a table of its own.
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


class Command(GoldenCommand):
    help = "Ask the golden questions and judge the answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--judged",
            type=Path,
            metavar="FILE.csv",
            help="nDCG and recall by what was graded 2, in the place of the labels",
        )
        parser.add_argument(
            "--flag", action="append", default=[], metavar="NAME=on|off", help=", ".join(FLAGS)
        )
        parser.add_argument(
            "--mode",
            type=str.lower,
            default="",
            metavar="MODE",
            help=f"what answers may be made from: {', '.join(MODES)}",
        )
        parser.add_argument("--resume", type=int, metavar="RUN", help="go on with a run")
        parser.add_argument("--celery", action="store_true", help="ask by workers")
        parser.add_argument(
            "--report", type=Path, metavar="FILE", help="write a report here, .md or .html"
        )
        parser.add_argument(
            "--reading",
            type=Path,
            nargs="+",
            metavar="FILE",
            help="write a blind sheet for readers; or read it back, with copies that were graded",
        )
        parser.add_argument(
            "--label", default="answers", help="what the key calls the answers of this --reading"
        )
        parser.add_argument("--seed", type=int, default=1, help="of the order of --reading")
        parser.add_argument(
            "--answers",
            type=Path,
            metavar="FILE",
            help="answers of another version for the sheet of --reading; nothing is asked",
        )
        parser.add_argument(
            "--calibration",
            type=Path,
            metavar="FILE",
            help="graded answers for the sheet of --reading, to try its readers by",
        )
        parser.add_argument(
            "--sample", type=int, default=grades.LEAST_ANSWERS, help="how many of --calibration"
        )
        parser.add_argument(
            "--compare", type=int, metavar="RUN", help="say what differs from this run"
        )
        parser.add_argument(
            "--fail-under", type=float, metavar="SHARE", help="exit 1 below this pass rate"
        )

    def lines(self, report: Mapping[str, Any]) -> Iterator[str]:
        return table(report)

    def measure(self, **options: Any) -> None:
        hospital = chosen_hospital(options["hospital"])
        ensure_writable(options["report"])
        with serving(hospital):
            if options["reading"]:
                self._read(hospital, options)
            else:
                self._evaluate(hospital, options)

    def _evaluate(self, hospital: Hospital, options: Mapping[str, Any]) -> None:
        run, cases = self._resumed(hospital, options) if options["resume"] else self._new(options)
        self.stdout.write(f"Run {run.pk}: {len(cases)} questions, {told(run.flags)}.")
        self.stdout.flush()
        ask = ask_by_workers if options["celery"] else ask_here
        ask(run, cases, self.stdout)
        services.finish(run)
        self._tell(run, cases, options)

    def _read(self, hospital: Hospital, options: Mapping[str, Any]) -> None:
        """Read a graded sheet back; one that nobody graded gets more answers."""
        sheet, *copies = options["reading"]
        ensure_writable(sheet)
        if sheet.suffix != ".jsonl":
            raise BadInput(f"{sheet}: a sheet is a file of JSON lines, named .jsonl.")
        read = reading.read_grades([*([sheet] if sheet.exists() else []), *copies])
        if read:
            self._tell_grades(sheet, read, options)
        elif copies:
            raise BadInput(f"There is no grade in {', '.join(map(str, copies))}.")
        else:
            rows = self._kept(options) or self._examined(hospital, options)
            number = reading.add_to_sheet(sheet, rows, seed=options["seed"])
            self.stdout.write(f"{len(rows)} answers more on {sheet}: {number}.")

    def _kept(self, options: Mapping[str, Any]) -> list[reading.Row]:
        """Return answers of files, for which nothing is asked."""
        rows: list[reading.Row] = []
        if options["answers"]:
            rows += reading.kept_rows(options["answers"], options["label"])
        if options["calibration"]:
            graded = reading.kept_rows(options["calibration"], reading.CALIBRATION, graded=True)
            rows += reading.sampled(graded, options["sample"], options["seed"])
        return rows

    def _examined(self, hospital: Hospital, options: Mapping[str, Any]) -> list[reading.Row]:
        if options["golden"]:
            items = reading.read_items(options["golden"])
        else:
            cases = golden.select(golden.stored_cases(), category=options["category"])
            items = reading.items_of(cases)
        wanted = [
            item
            for item in items
            if reading.is_for(item, hospital.slug) and options["language"] in ("", item.language)
        ]
        if not wanted:
            raise BadInput("No question is selected.")
        rows: list[reading.Row] = []
        with ProgressBar(self.stdout, len(wanted)) as progress:
            for item in wanted:
                rows += reading.answered_rows(item, hospital.slug, options["label"])
                progress.advance()
        return rows

    def _tell_grades(
        self, sheet: Path, read: Mapping[str, reading.Reading], options: Mapping[str, Any]
    ) -> None:
        report = grades.report_of(
            {name: each.grades for name, each in read.items()},
            reading.read_key(sheet),
            {name: each.unreadable for name, each in read.items()},
        )
        for line in grades.lines_of_report(report):
            self.stdout.write(line)
        if options["json"]:
            write_json(options["json"], report)

    def _new(self, options: Mapping[str, Any]) -> tuple[Run, Sequence[Case]]:
        selection = {
            **{name: str(options[name].resolve()) if options[name] else "" for name in FILES},
            "category": options["category"],
            "language": options["language"],
        }
        cases = services.chosen(selection)
        return services.start_run(
            cases, flags=flags_of(options["flag"], options["mode"] or "hybrid"), selection=selection
        ), cases

    def _resumed(
        self, hospital: Hospital, options: Mapping[str, Any]
    ) -> tuple[Run, Sequence[Case]]:
        """A run goes on as it began: with its own switches and selection."""
        if options["flag"] or options["mode"] or options["category"] or options["language"]:
            raise BadInput("--resume goes on with the run's own switches and selection.")
        run = services.run_of(options["resume"], hospital)
        moved = {name: str(options[name]) for name in FILES if options[name]}
        cases = services.chosen({**run.selection, **moved})
        services.resume(run, cases)
        return run, cases

    def _tell(self, run: Run, cases: Sequence[Case], options: Mapping[str, Any]) -> None:
        results = services.results_of(run, cases)
        report = report_json(results, reports.circumstances(run))
        self.tell(report, options["json"])
        if options["report"]:
            reports.write(options["report"], reports.report_of(run, results))
        if options["compare"]:
            other = services.run_of(options["compare"], run.hospital)
            compared = reports.compare((other, services.results_of(other)), (run, results))
            for line in reports.told(compared):
                self.stdout.write(line)
        least = options["fail_under"]
        if least is not None and report["summary"]["pass_rate"] < least:
            raise CommandError(f"Below {least}: {report['summary']['pass_rate']:.4f}.")


def told(flags: Mapping[str, bool]) -> str:
    return ", ".join(f"{name} {'on' if is_on else 'off'}" for name, is_on in sorted(flags.items()))


def table(report: Mapping[str, Any]) -> Iterator[str]:
    """Give the figures per category, per language, and of all."""
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
