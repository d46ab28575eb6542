"""A run as a report, and two runs side by side: values for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
        versions=run.versions,
        total=run.total,
        summary=summary(results),
        intervals=intervals(results),
        categories=_lines(by_category(results)),
        languages=_lines(by_language(results)),
        failures=tuple(result for result in results if not result.passed),
        sensitivity=sensitivity(results),
        stages=stages(results),
    )


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
    for old, new in ((first.versions, second.versions), (first.flags, second.flags)):
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
