"""A run as a report, and two runs side by side: values for a page, and Markdown for a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone

from evaluation.intervals import Interval, McNemar, bootstrap, mcnemar
from evaluation.models import Run
from evaluation.summaries import (
    JudgedAnswer,
    by_category,
    by_language,
    intervals,
    sensitivity,
    stages,
    summary,
)
from zol.errors import BadInput
from zol.text import squash

#: Letters of an answer that a report shows.
SHOWN = 400
#: What is told of each category and language beside passing.
GOOD = ("plain", "answered", "whole")
#: Points of the widest bar.
BAR = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: a category or a language, with its interval."""

    name: str
    figures: Mapping[str, Any]
    interval: Interval

    @property
    def bar(self) -> tuple[int, int, int]:
        """Where the rate and the ends of its interval stand on a scale of `BAR` points."""
        found = self.interval
        return round(found.mean * BAR), round(found.low * BAR), round(found.high * BAR)


@dataclass(frozen=True, slots=True)
class Report:
    """All that is said of one run."""

    number: int
    started: str
    state: str
    note: str
    flags: Mapping[str, bool]
    versions: Mapping[str, Any]
    total: int
    summary: Mapping[str, Any]
    intervals: Mapping[str, Interval]
    categories: tuple[Line, ...]
    languages: tuple[Line, ...]
    failures: tuple[JudgedAnswer, ...]
    sensitivity: Mapping[float, float]
    stages: Mapping[str, Mapping[str, float]]


def report_of(run: Run, results: Sequence[JudgedAnswer]) -> Report:
    return Report(
        number=run.pk,
        started=f"{timezone.localtime(run.created_at):%Y-%m-%d %H:%M}",
        state=run.state,
        note=run.note,
        flags=run.flags,
        versions=circumstances(run),
        total=run.total,
        summary=summary(results),
        intervals=intervals(results),
        categories=_lines(by_category(results)),
        languages=_lines(by_language(results)),
        failures=tuple(result for result in results if not result.passed),
        sensitivity=sensitivity(results),
        stages=stages(results),
    )


def circumstances(run: Run) -> dict[str, Any]:
    """Return what figures of a run depend on besides its switches: versions, and whose labels."""
    judged = run.selection.get("judged", "")
    return {**run.versions, **({"labels": Path(judged).name} if judged else {})}


def _lines(groups: Mapping[str, Sequence[JudgedAnswer]]) -> tuple[Line, ...]:
    return tuple(
        Line(name, summary(group), interval)
        for name, group in groups.items()
        if (interval := bootstrap([float(result.passed) for result in group]))
    )


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A question of which two runs think differently."""

    key: str
    category: str
    language: str
    question: str
    #: What the run says in which it fails, and both answers.
    reasons: tuple[str, ...]
    before: JudgedAnswer
    after: JudgedAnswer


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over the questions that both were asked."""

    before: Report
    after: Report
    shared: int
    #: The difference of the pass rates with its interval, question by question.
    difference: Interval | None
    test: McNemar
    won: tuple[ChangedAnswer, ...]
    lost: tuple[ChangedAnswer, ...]
    #: Answers that differ although both pass or both fail.
    reworded: int
    #: What differs between the two: versions and switches, before and after.
    settings: tuple[tuple[str, Any, Any], ...]


def compare(
    before: tuple[Run, Sequence[JudgedAnswer]], after: tuple[Run, Sequence[JudgedAnswer]]
) -> Comparison:
    """Compare two runs question by question."""
    (first, results), (second, others) = before, after
    known = {result.key: result for result in others}
    pairs = [(result, known[result.key]) for result in results if result.key in known]
    changes = [_change(a, b) for a, b in pairs if a.passed != b.passed]
    return Comparison(
        before=report_of(first, results),
        after=report_of(second, others),
        shared=len(pairs),
        difference=bootstrap([float(b.passed) - float(a.passed) for a, b in pairs]),
        test=mcnemar([a.passed for a, _ in pairs], [b.passed for _, b in pairs]),
        won=tuple(change for change in changes if change.after.passed),
        lost=tuple(change for change in changes if change.before.passed),
        reworded=sum(a.passed == b.passed and a.answer != b.answer for a, b in pairs),
        settings=tuple(_differing(first, second)),
    )


def _change(before: JudgedAnswer, after: JudgedAnswer) -> ChangedAnswer:
    case = after.case
    reasons = after.reasons or before.reasons
    return ChangedAnswer(
        case.key, case.category, case.language, case.question, reasons, before, after
    )


def _differing(first: Run, second: Run) -> Iterator[tuple[str, Any, Any]]:
    versions = circumstances(first), circumstances(second)
    for old, new in (versions, (first.flags, second.flags)):
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                yield name, old.get(name), new.get(name)


def told(compared: Comparison) -> Iterator[str]:
    """Give a comparison in a few lines."""
    number, test = compared.before.number, compared.test
    yield (
        f"Against run {number}, over {compared.shared} questions (McNemar, exact): p {test.p:.4f}."
    )
    if compared.difference:
        yield f"Difference of the pass rates: {compared.difference}."
    for title, changes in (("NOW RIGHT", compared.won), ("NOW WRONG", compared.lost)):
        for change in changes:
            yield f"{title} {change.key}: {'; '.join(change.reasons)}"


def write(file: Path, report: Report) -> None:
    """Write a report to a file, as its ending says."""
    match file.suffix.lower():
        case ".md":
            file.write_text(markdown(report), encoding="utf-8")
        case ".html":
            page = render_to_string("evaluation/report_file.html", {"report": report})
            file.write_text(page, encoding="utf-8")
        case other:
            raise BadInput(f"A report is .md or .html, not “{other or file}”.")


def markdown(report: Report) -> str:
    """Return a report as Markdown."""
    return "\n".join(_markdown(report)) + "\n"


def _markdown(report: Report) -> Iterator[str]:
    yield from (
        f"# Evaluation run {report.number}",
        "",
        f"Started {report.started}, {report.state}.",
    )
    yield from ("", f"{report.summary['passed']} of {report.summary['questions']} pass.", "")
    yield from _table(
        ("figure", "value", "95 % interval"),
        (
            (name, f"{found.mean:.3f}", f"{found.low:.3f}–{found.high:.3f}")
            for name, found in report.intervals.items()
        ),
    )
    yield from ("## Versions and switches", "")
    known = {**report.versions, **{f"switch {n}": v for n, v in report.flags.items()}}
    yield from _table(("what", "value"), ((n, json.dumps(v)) for n, v in known.items()))
    for title, lines in (("Categories", report.categories), ("Languages", report.languages)):
        yield from (f"## {title}", "")
        yield from _table(
            ("", "questions", "passed", "pass rate", "95 % interval", "recall", *GOOD),
            (_cells(line) for line in lines),
        )
    yield from ("## Pass rate by the least recall", "")
    yield from _table(
        ("recall at least", "pass rate"),
        ((str(least), f"{share:.3f}") for least, share in report.sensitivity.items()),
    )
    yield from ("## Milliseconds by stage", "")
    yield from _table(
        ("stage", "turns", "p50", "p95"),
        (
            (stage, str(spent["turns"]), f"{spent['p50_ms']:.1f}", f"{spent['p95_ms']:.1f}")
            for stage, spent in report.stages.items()
        ),
    )
    yield from ("## Failures", "")
    for result in report.failures:
        yield from _failure(result)


def _cells(line: Line) -> tuple[str, ...]:
    figures, found = line.figures, line.interval
    return (
        line.name,
        str(figures["questions"]),
        str(figures["passed"]),
        f"{figures['pass_rate']:.3f}",
        f"{found.low:.3f}–{found.high:.3f}",
        *("–" if figures[n] is None else f"{figures[n]:.3f}" for n in ("entity_recall", *GOOD)),
    )


def _failure(result: JudgedAnswer) -> Iterator[str]:
    case = result.case
    yield from (f"### {case.key} ({case.category}, {case.language})", "")
    yield f"Question: {_inline(case.question)}  "
    yield f"Why: {_inline('; '.join(result.reasons))}  "
    yield from (f"Answer ({result.behaviour or 'none'}): {_inline(result.answer)}", "")


def _table(head: Sequence[str], rows: Any) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(_inline(cell) for cell in row)} |"
    yield ""


def _inline(text: str) -> str:
    """Return a text so that it stays on one line and inside its cell."""
    shown = squash(text)
    cut = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
    return cut.replace("|", "\\|").replace("<", "&lt;")
