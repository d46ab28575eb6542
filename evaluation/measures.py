"""How good a ranking is: two measures, as the literature (and trec_eval) defines them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from statistics import fmean


def ndcg(ranking: Sequence[str], relevance: Mapping[str, int], *, depth: int = 10) -> float:
    """Return the normalised discounted cumulative gain of the first documents of a ranking."""
    ideal = _gain(sorted((r for r in relevance.values() if r > 0), reverse=True)[:depth])
    if ideal == 0:
        return 0.0
    return _gain([max(0, relevance.get(key, 0)) for key in ranking[:depth]]) / ideal


def recall(ranking: Sequence[str], relevance: Mapping[str, int], *, depth: int = 100) -> float:
    """Return which share of the relevant documents stands among the first of a ranking."""
    wanted = {key for key, grade in relevance.items() if grade > 0}
    if not wanted:
        return 0.0
    return len(wanted.intersection(ranking[:depth])) / len(wanted)


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value below which this share of the values lies, interpolated."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _gain(grades: Iterable[int]) -> float:
    return sum(grade / log2(place + 1) for place, grade in enumerate(grades, start=1))
