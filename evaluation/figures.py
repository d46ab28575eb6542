"""Figures of a run: pass rates, timings, bootstrap intervals and McNemar tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import numpy as np
from scipy import stats

from chat.pipeline import PIPELINE
from evaluation.golden import Case, from_json
from evaluation.models import Result
from evaluation.scores import Score, failings, is_plain


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value below which this share of the values lies, interpolated."""
    listed = list(values)
    return float(np.quantile(listed, share)) if listed else 0.0


RESAMPLES, SEED = 10_000, 20_260_101


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its confidence interval."""

    mean: float
    low: float
    high: float

    @property
    def ends(self) -> list[float]:
        """Return the rounded bounds for a report."""
        return [round(self.low, 4), round(self.high, 4)]

    def __str__(self) -> str:
        return f"{self.mean:.3f} ({self.low:.3f}–{self.high:.3f})"


def bootstrap(values: Sequence[float]) -> Interval | None:
    """Return the mean with its 95 % percentile bootstrap interval; None without values."""
    if not values:
        return None
    if min(values) == max(values):
        return Interval(values[0], values[0], values[0])
    found = stats.bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, batch=1_000, method="percentile", rng=SEED
    ).confidence_interval
    return Interval(fmean(values), float(found.low), float(found.high))


@dataclass(frozen=True, slots=True)
class McNemar:
    """Questions that only one of two runs passes, and the p value of that split."""

    only_first: int
    only_second: int
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """Compare two runs over the same questions by the exact, two-sided test."""
    pairs = list(zip(first, second, strict=True))
    won = sum(a and not b for a, b in pairs)
    lost = sum(b and not a for a, b in pairs)
    p = stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
    return McNemar(won, lost, float(p))


#: Keys of the summary (spec 10) and the metric that each is the mean of.
MEANS = {
    "entity_recall": "entity_recall",
    "refusal_accuracy": "refusal",
    "source_hit": "source_hit",
    "intent_accuracy": "intent",
    "language_accuracy": "language",
    "ndcg@10": "ndcg@10",
    "recall@10": "recall@10",
    "complete": "complete",
    "early": "early",
    "brief": "brief",
    "certain": "certain",
    "in_language": "language",
    "passage_in_language": "passage_language",
    "whole": "whole",
    "answered": "answered",
}
#: Those that each result has too: true, false, or null where not applicable.
VERDICTS = (
    "complete", "early", "brief", "certain", "in_language", "passage_in_language", "whole",
    "answered",
)  # fmt: skip
#: Fields of the stored answer that each result has.
ANSWER = ("behaviour", "intent", "answer", "citations", "timings_ms")
#: Stages in pipeline order, then the total.
STAGES = (*(step.name for step in PIPELINE), "total")
#: Recall thresholds for the pass rate (spec 08).
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A question with its scores."""

    case: Case
    passed: bool
    scores: Mapping[str, Score]
    #: The answer as stored: its text, behaviour, intent, citations, timings and evidence.
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.case.key

    @property
    def timings(self) -> Mapping[str, float]:
        """Return milliseconds by stage and in total."""
        found: Mapping[str, float] = self.data.get("timings_ms", {})
        return found

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why the question fails."""
        return tuple(failings(self.case.category, self.scores))

    @property
    def is_plain(self) -> bool:
        return self.passed and is_plain(self.case.category, self.scores)

    def would_pass(self, least: float) -> bool:
        return not any(failings(self.case.category, self.scores, least=least))


def judged(result: Result) -> JudgedAnswer:
    """Return a stored result as a `JudgedAnswer`."""
    scores = {name: Score(**score) for name, score in result.data["scores"].items()}
    return JudgedAnswer(from_json(result.data["asked"]), result.passed, scores, result.data)


def summary(results: Sequence[JudgedAnswer]) -> dict[str, Any]:
    """Return the figures of some results; None for a metric that no result has."""
    passed = sum(result.passed for result in results)
    times = [result.timings.get("total", 0.0) for result in results]
    means = {
        key: round(mean(values), 4) if values else None for key, values in _values(results).items()
    }
    return {
        "questions": len(results),
        "passed": passed,
        **means,
        "p50_ms": round(percentile(times, 0.50), 1),
        "p95_ms": round(percentile(times, 0.95), 1),
    }


def _values(results: Sequence[JudgedAnswer]) -> dict[str, list[float]]:
    """Return the values behind each rate and mean of the summary, by its key."""
    found = {
        "pass_rate": [float(each.passed) for each in results],
        "plain": [float(each.is_plain) for each in results],
    }
    for key, metric in MEANS.items():
        found[key] = [score.value for each in results if (score := each.scores.get(metric))]
    return found


def grouped(results: Iterable[JudgedAnswer], by: str) -> dict[str, list[JudgedAnswer]]:
    """Return results by a field of their case, such as its category."""
    groups: dict[str, list[JudgedAnswer]] = {}
    for each in results:
        groups.setdefault(getattr(each.case, by), []).append(each)
    return dict(sorted(groups.items()))


def intervals(results: Sequence[JudgedAnswer]) -> dict[str, Interval]:
    """Return the pass rate and every mean with its bootstrap interval."""
    measured = {key: bootstrap(values) for key, values in _values(results).items()}
    return {key: interval for key, interval in measured.items() if interval}


def sensitivity(results: Sequence[JudgedAnswer]) -> dict[float, float]:
    """Return the pass rate for every threshold of the recall."""
    return {least: mean(float(each.would_pass(least)) for each in results) for least in THRESHOLDS}


def stages(results: Iterable[JudgedAnswer]) -> dict[str, dict[str, float]]:
    """Return p50 and p95 of every stage, over the questions that went through it."""
    times: dict[str, list[float]] = {}
    for result in results:
        for stage, spent in result.timings.items():
            times.setdefault(stage, []).append(spent)
    order = [*(stage for stage in STAGES if stage in times), *(times.keys() - set(STAGES))]
    return {
        stage: {
            "turns": len(times[stage]),
            "p50_ms": round(percentile(times[stage], 0.50), 2),
            "p95_ms": round(percentile(times[stage], 0.95), 2),
        }
        for stage in order
    }


def report_json(results: Sequence[JudgedAnswer], versions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object that `evaluate --json` writes (spec 10)."""
    return {
        "summary": summary(results),
        "categories": {
            name: summary(group) for name, group in grouped(results, "category").items()
        },
        "languages": {name: summary(group) for name, group in grouped(results, "language").items()},
        "versions": dict(versions),
        "intervals": {name: found.ends for name, found in intervals(results).items()},
        "stages": stages(results),
        "results": [_result_json(result) for result in results],
    }


def _result_json(result: JudgedAnswer) -> dict[str, Any]:
    recall = result.scores.get("entity_recall")
    found = {key: result.scores.get(MEANS[key]) for key in VERDICTS}
    return {
        "id": result.key,
        "category": result.case.category,
        "language": result.case.language,
        "question": result.case.question,
        "passed": result.passed,
        "recall": round(recall.value, 4) if recall else None,
        "plain": result.is_plain,
        **{key: score.is_full if score else None for key, score in found.items()},
        "certainty": result.data.get("certainty", ""),
        **{name: result.data[name] for name in ANSWER},
        "reasons": list(result.reasons),
        "scores": {name: round(score.value, 4) for name, score in result.scores.items()},
    }
