"""Figures, how far they may be off, whether two runs really differ, and what surety tells.

How good a ranking is, is measured as the literature (and trec_eval) defines it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, log2
from statistics import fmean

import numpy as np
from numpy.typing import NDArray


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value below which this share of the values lies, interpolated."""
    listed = list(values)
    return float(np.quantile(listed, share)) if listed else 0.0


def gain(grades: Iterable[int]) -> float:
    """Return what a ranking gains; what stands further down counts less."""
    return sum(grade / log2(place + 1) for place, grade in enumerate(grades, start=1))


RESAMPLES = 10_000
SEED = 20_260_101
#: Cells drawn at a time, so that memory stays flat however many questions there are.
CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and between which values it lies with the given certainty."""

    mean: float
    low: float
    high: float

    @property
    def ends(self) -> list[float]:
        """The two ends, as a report says them."""
        return [round(self.low, 4), round(self.high, 4)]

    def __str__(self) -> str:
        return f"{self.mean:.3f} ({self.low:.3f}–{self.high:.3f})"


def bootstrap(
    values: Sequence[float], *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval | None:
    """Return the mean with its percentile bootstrap interval; nothing for no values."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0:
        return None
    means = _resampled_means(sample, resamples, np.random.default_rng(seed))
    tail = (1 - level) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return Interval(float(sample.mean()), float(low), float(high))


def _resampled_means(
    sample: NDArray[np.float64], resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    batch = max(1, CELLS // sample.size)
    means = [
        sample[rng.integers(0, sample.size, (min(batch, resamples - done), sample.size))].mean(
            axis=1
        )
        for done in range(0, resamples, batch)
    ]
    return np.concatenate(means)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Questions that one run passes and the other does not, and how likely chance gives that."""

    only_first: int
    only_second: int
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """Compare two runs over the same questions by the exact, two-sided test."""
    pairs = list(zip(first, second, strict=True))
    won = sum(a and not b for a, b in pairs)
    lost = sum(b and not a for a, b in pairs)
    return McNemar(won, lost, _two_sided(won, lost))


def _two_sided(won: int, lost: int) -> float:
    """Return the probability of a split at least this uneven when either is equally likely."""
    total = won + lost
    tail = sum(comb(total, count) for count in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / (1 << total))
