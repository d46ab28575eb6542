"""Reports of runs, comparisons of two runs, and the effects of switches.

An ablation is a full factorial over switches. Every question is asked in every cell, so effects are
differences within a question and their intervals come from resampling questions (Box, Hunter &
Hunter 2005, chapter 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chat.wiring import MODEL
from evaluation.figures import (
    Interval,
    JudgedAnswer,
    bootstrap,
    grouped,
    intervals,
    mcnemar,
    sensitivity,
    stages,
    summary,
)
from evaluation.models import Run
from retrieval.tuning import RetrievalTuning
from zol.errors import BadInput

#: Switches of searches and stages.
FLAGS = tuple(each.name for each in fields(RetrievalTuning) if isinstance(each.default, bool))
#: The cache is off: the second of two equal runs would otherwise repeat the answers of the first,
#: without any ranking. The embedded engine answers: evidence is the same, and a model costs money.
USUAL: Mapping[str, bool] = {"cache": False, MODEL: False}
_VALUES = {"on": True, "off": False}
#: Most flags of one factorial: 2⁷ runs fit in a night.
MOST_FACTORS = 7


def flags_of(settings: Iterable[str]) -> dict[str, bool]:
    """Return the switches of `name=on` and `name=off` over the defaults."""
    chosen = dict(USUAL)
    for setting in settings:
        name, _, value = setting.partition("=")
        if value not in _VALUES:
            raise BadInput(f"“{setting}” is not a switch: write {name or 'name'}=on or =off.")
        chosen[known(name)] = _VALUES[value]
    return chosen


def factors_of(names: str) -> tuple[str, ...]:
    """Return the switches named in `a,b,c`."""
    factors = tuple(known(name.strip()) for name in names.split(",") if name.strip())
    if not factors or len(set(factors)) != len(factors):
        raise BadInput("Name at least one switch, each once: --ablate boosts,roster")
    if len(factors) > MOST_FACTORS:
        raise BadInput(
            f"{len(factors)} switches are {2 ** len(factors)} runs; at most {MOST_FACTORS}."
        )
    return factors


def known(name: str) -> str:
    if name not in FLAGS:
        raise BadInput(f"There is no switch “{name}”: choose from {', '.join(FLAGS)}.")
    return name


def factorial(factors: tuple[str, ...]) -> tuple[dict[str, bool], ...]:
    """Return every combination of the switches, with defaults for the others."""
    return tuple(
        {**USUAL, **dict(zip(factors, states, strict=True))}
        for states in product((True, False), repeat=len(factors))
    )


#: Measures of effects: the verdict, and means of metrics.
MEASURES = ("passed", "entity_recall", "source_hit", "ndcg@10")
Setting = Mapping[str, bool]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Combination:
    """One combination of switches with its results."""

    flags: Setting
    run: int
    results: tuple[JudgedAnswer, ...]


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of switches on one measure; positive: on is better than off."""

    main: Mapping[str, Interval]
    #: By pairs `a×b`: half the difference between what a does with b on and with b off.
    pairs: Mapping[str, Interval]


def effects(cells: Sequence[Combination], factors: Sequence[str], measure: str) -> Effects | None:
    """Return the effects on a measure, over the questions that have it in every cell."""
    columns = [_by_key(cell.results, measure) for cell in cells]
    keys = [key for key in columns[0] if all(key in column for column in columns)]
    # A row for each question, a column for each cell.
    values = np.array([[column[key] for column in columns] for key in keys], dtype=np.float64)
    if not values.size:
        return None
    signs = {
        name: np.array([1.0 if cell.flags[name] else -1.0 for cell in cells]) for name in factors
    }
    return Effects(
        main={name: _contrast(values, signs[name]) for name in factors},
        pairs={
            f"{one}×{other}": _contrast(values, signs[one] * signs[other])
            for one, other in combinations(factors, 2)
        },
    )


def _contrast(values: Numbers, signs: Numbers) -> Interval:
    """Return, by question, the mean of the plus cells minus the mean of the minus cells."""
    by_question = values @ signs / (len(signs) / 2)
    found = bootstrap(by_question.tolist())
    if found is None:
        raise ValueError("An effect needs a question")
    return found


def _by_key(results: Sequence[JudgedAnswer], measure: str) -> dict[str, float]:
    if measure == "passed":
        return {result.key: float(result.passed) for result in results}
    return {result.key: score.value for result in results if (score := result.scores.get(measure))}


def report_json(
    cells: Sequence[Combination], factors: Sequence[str], versions: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the object that `evaluate --ablate` writes."""
    measured = {name: found for name in MEASURES if (found := effects(cells, factors, name))}
    return {
        "flags": list(factors),
        "questions": len(cells[0].results),
        "cells": [
            {
                "flags": {name: cell.flags[name] for name in factors},
                "run": cell.run,
                **summary(cell.results),
                "intervals": {name: each.ends for name, each in intervals(cell.results).items()},
            }
            for cell in cells
        ],
        "main_effects": {name: _json(found.main) for name, found in measured.items()},
        "interactions": {name: _json(found.pairs) for name, found in measured.items()},
        "versions": dict(versions),
    }


def _json(found: Mapping[str, Interval]) -> dict[str, dict[str, float]]:
    rounded = {name: (round(each.mean, 4), *each.ends) for name, each in found.items()}
    return {
        name: {"effect": effect, "low": low, "high": high}
        for name, (effect, low, high) in rounded.items()
    }


#: Width of the widest bar in points.
BAR = 200


def report_of(run: Run, results: Sequence[JudgedAnswer]) -> dict[str, Any]:
    """Return the report of one run, as its page shows it."""
    return {
        "run": run,
        "summary": summary(results),
        "intervals": intervals(results),
        "categories": _lines(grouped(results, "category")),
        "languages": _lines(grouped(results, "language")),
        "failures": [result for result in results if not result.passed],
        "sensitivity": sensitivity(results),
        "stages": stages(results),
    }


def _lines(groups: Mapping[str, Sequence[JudgedAnswer]]) -> list[dict[str, Any]]:
    """Return the row of each group in a table, with its rate and interval as a bar."""
    found = []
    for name, group in groups.items():
        if rate := bootstrap([float(result.passed) for result in group]):
            bar = [round(each * BAR) for each in (rate.mean, rate.low, rate.high)]
            figures = summary(group)
            found.append({"name": name, "figures": figures, "interval": rate, "bar": bar})
    return found


class ChangedAnswer(NamedTuple):
    """A question that one of two runs passes and the other fails."""

    before: JudgedAnswer
    after: JudgedAnswer

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why the failing run fails it."""
        return self.after.reasons or self.before.reasons


def compare(
    before: tuple[Run, Sequence[JudgedAnswer]], after: tuple[Run, Sequence[JudgedAnswer]]
) -> dict[str, Any]:
    """Compare two runs, as their page shows it: question by question of those that both asked."""
    (first, results), (second, others) = before, after
    known = {result.key: result for result in others}
    pairs = [(result, known[result.key]) for result in results if result.key in known]
    changes = [ChangedAnswer(a, b) for a, b in pairs if a.passed != b.passed]

    def stored(name: str) -> Iterator[tuple[Sequence[Any], Sequence[Any]]]:
        return ((a.data.get(name, ()), b.data.get(name, ())) for a, b in pairs)

    return {
        "before": report_of(first, results),
        "after": report_of(second, others),
        "shared": len(pairs),
        #: The difference of the pass rates, with its interval.
        "difference": bootstrap([float(b.passed) - float(a.passed) for a, b in pairs]),
        "test": mcnemar([a.passed for a, _ in pairs], [b.passed for _, b in pairs]),
        "won": [change for change in changes if change.after.passed],
        "lost": [change for change in changes if change.before.passed],
        #: Answers that differ although both pass or both fail.
        "reworded": sum(
            a.passed == b.passed and a.data["answer"] != b.data["answer"] for a, b in pairs
        ),
        "other_evidence": sum(set(x) != set(y) for x, y in stored("evidence")),
        "other_first": sum(x[:1] != y[:1] for x, y in stored("ranking")),
        "settings": list(_differing(first, second)),
    }


def _differing(first: Run, second: Run) -> Iterator[tuple[str, Any, Any]]:
    for old, new in ((first.versions, second.versions), (first.flags, second.flags)):
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                yield name, old.get(name), new.get(name)
