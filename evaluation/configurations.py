"""Configurations: the switches that an evaluation may turn, and what each is worth.

An ablation is a full factorial over switches. Every question is asked in every cell, so effects are
differences within a question and their intervals come from resampling questions (Box, Hunter &
Hunter 2005, chapter 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.intervals import Interval, bootstrap
from evaluation.summaries import JudgedAnswer, intervals, summary
from retrieval.tuning import RetrievalTuning
from zol.errors import BadInput

#: The lanes of a search, and every switch that a stage asks.
FLAGS = tuple(each.name for each in fields(RetrievalTuning) if isinstance(each.default, bool))
#: A run measures the pipeline, not what it remembers: otherwise the second of two equal runs
#: would see only the answers of the first, and no ranking at all.
USUAL: Mapping[str, bool] = {"cache": False}
#: What an answer may be made from: pages by meaning alone, the taxonomy alone, or everything.
MODES: Mapping[str, Mapping[str, bool]] = {
    "vector_only": {
        "keyword": False, "rescue": False, "taxonomy": False, "roster": False, "supplement": False,
    },
    "graph_only": {"dense": False, "keyword": False, "rescue": False},
    "hybrid": {},
}  # fmt: skip
_VALUES = {"on": True, "off": False}
#: Flags of one factorial: 2⁷ runs are what a night can hold.
MOST_FACTORS = 7


def flags_of(settings: Iterable[str], mode: str = "hybrid") -> dict[str, bool]:
    """Return the switches of `name=on` and `name=off`, over those of a mode and the usual ones."""
    if mode not in MODES:
        raise BadInput(f"There is no mode “{mode}”; there are {', '.join(MODES)}.")
    chosen = {**USUAL, **MODES[mode]}
    for setting in settings:
        name, _, value = setting.partition("=")
        if value not in _VALUES:
            raise BadInput(f"“{setting}” is not a switch: write {name or 'name'}=on or =off.")
        chosen[known(name)] = _VALUES[value]
    return chosen


def factors_of(names: str) -> tuple[str, ...]:
    """Return the switches of `a,b,c`."""
    factors = tuple(known(name.strip()) for name in names.split(",") if name.strip())
    if not factors or len(set(factors)) != len(factors):
        raise BadInput("Name one switch or more, each once: --flags boosts,roster")
    if len(factors) > MOST_FACTORS:
        raise BadInput(
            f"{len(factors)} switches are {2 ** len(factors)} runs; at most {MOST_FACTORS}."
        )
    return factors


def known(name: str) -> str:
    if name not in FLAGS:
        raise BadInput(f"There is no switch “{name}”; there are {', '.join(FLAGS)}.")
    return name


def factorial(factors: tuple[str, ...]) -> tuple[dict[str, bool], ...]:
    """Return every combination of the switches, the usual setting of the others laid under."""
    return tuple(
        {**USUAL, **dict(zip(factors, states, strict=True))}
        for states in product((True, False), repeat=len(factors))
    )


#: What effects are estimated on: the verdict, and means of metrics.
MEASURES = ("passed", "entity_recall", "source_hit", "ndcg@10")
Setting = Mapping[str, bool]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Combination:
    """One combination of the switches, and what came of it."""

    flags: Setting
    run: int
    results: tuple[JudgedAnswer, ...]


@dataclass(frozen=True, slots=True)
class Effects:
    """What switches do to one measure. Positive: on is better than off."""

    main: Mapping[str, Interval]
    #: By pairs `a×b`: half the difference between what a does with b on and with b off.
    pairs: Mapping[str, Interval]


def effects(cells: Sequence[Combination], factors: Sequence[str], measure: str) -> Effects | None:
    """Return the effects on a measure, over the questions that every cell has it for."""
    values = _values(cells, measure)
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
    """Return the mean where the sign is plus, less that where it is minus, by question."""
    by_question = values @ signs / (len(signs) / 2)
    found = bootstrap(by_question.tolist())
    if found is None:
        raise ValueError("An effect needs a question")
    return found


def _values(cells: Sequence[Combination], measure: str) -> Numbers:
    """Return a row for each question, a column for each cell."""
    columns = [_by_key(cell.results, measure) for cell in cells]
    keys = [key for key in columns[0] if all(key in column for column in columns)]
    return np.array([[column[key] for column in columns] for key in keys], dtype=np.float64)


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
        "cells": [_cell_json(cell, factors) for cell in cells],
        "main_effects": {name: _json(found.main) for name, found in measured.items()},
        "interactions": {name: _json(found.pairs) for name, found in measured.items()},
        "versions": dict(versions),
    }


def _cell_json(cell: Combination, factors: Sequence[str]) -> dict[str, Any]:
    return {
        "flags": {name: cell.flags[name] for name in factors},
        "run": cell.run,
        **summary(cell.results),
        "intervals": {name: found.ends for name, found in intervals(cell.results).items()},
    }


def _json(found: Mapping[str, Interval]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "effect": round(each.mean, 4),
            "low": round(each.low, 4),
            "high": round(each.high, 4),
        }
        for name, each in found.items()
    }
