"""Which intent a question has, learned from the example questions: a softmax regression.

The examples are rows that staff edit, so it is fitted anew with every published version: in a
fraction of a second, always to the same weights. Every decision is a sum of weights of features
that a person can read, and is shown to staff as such.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from retrieval.intents import Intent

Features: TypeAlias = Mapping[str, float]
Weights: TypeAlias = np.ndarray[Any, Any]
#: How strongly weights are held near zero, and how many steps are taken towards the best.
DECAY, STEPS = 1e-4, 45
#: Length and inertia of a step, and the share of the squares of earlier slopes that is kept.
RATE, INERTIA, MEMORY = 0.35, 0.9, 0.99
#: A feature of fewer examples says more about them than about an intent.
SEEN = 2
INTENTS = tuple(Intent)


@dataclass(frozen=True, slots=True)
class Reason:
    """What spoke for an intent, and how loudly."""

    feature: str
    weight: float


class Classifier:
    """Weights of features for every intent. Immutable once fitted."""

    def __init__(self, examples: Sequence[tuple[Intent, Features]]) -> None:
        seen = Counter(name for _, features in examples for name in features)
        names = [name for name, times in seen.items() if times >= SEEN]
        self._columns = {name: at for at, name in enumerate(names)}
        self._weights = np.zeros((len(names) + 1, len(INTENTS)), dtype=np.float32)
        if examples and names:
            self._weights = _fit(self._matrix(examples), _targets(examples))

    def scores(self, features: Features) -> dict[Intent, float]:
        """Return the probability of each intent."""
        row = self._row(features)
        total = sum((value * self._weights[at] for at, value in row), self._weights[-1].copy())
        chances = _softmax(total[None, :])[0]
        return {intent: float(chances[at]) for at, intent in enumerate(INTENTS)}

    def reasons(self, features: Features, intent: Intent, most: int = 8) -> tuple[Reason, ...]:
        """Return what speaks most for an intent, compared with the others."""
        at = INTENTS.index(intent)
        value_of = {
            name: value * (row[at] - row.mean())
            for name, value in self._known(features).items()
            for row in (self._weights[self._columns[name]],)
        }
        best = sorted(value_of, key=lambda name: -value_of[name])[:most]
        return tuple(Reason(name, round(float(value_of[name]), 3)) for name in best)

    def _known(self, features: Features) -> Features:
        """Return the features that examples have as well, at one length in all."""
        known = {name: value for name, value in features.items() if name in self._columns}
        length = sqrt(sum(value * value for value in known.values())) or 1.0
        return {name: value / length for name, value in known.items()}

    def _row(self, features: Features) -> list[tuple[int, float]]:
        return [(self._columns[name], value) for name, value in self._known(features).items()]

    def _matrix(self, examples: Iterable[tuple[Intent, Features]]) -> csr_array:
        values, columns, starts = array("f"), array("i"), array("i", [0])
        for _, features in examples:
            row = [*self._row(features), (len(self._columns), 1.0)]
            columns.extend([column for column, _ in row])
            values.extend([value for _, value in row])
            starts.append(len(columns))
        return csr_array(
            tuple(np.array(found) for found in (values, columns, starts)),
            shape=(len(starts) - 1, len(self._columns) + 1),
        )


def _targets(examples: Sequence[tuple[Intent, Features]]) -> Weights:
    wanted = np.zeros((len(examples), len(INTENTS)), dtype=np.float32)
    wanted[np.arange(len(examples)), [INTENTS.index(intent) for intent, _ in examples]] = 1
    return wanted


def _fit(matrix: csr_array, wanted: Weights) -> Weights:
    """Return the weights under which the examples are likeliest: steps down the slope, by Adam."""
    weights = np.zeros((matrix.shape[1], len(INTENTS)), dtype=np.float32)
    transposed = matrix.T.tocsr()
    inertia, squares = np.zeros_like(weights), np.zeros_like(weights)
    # Every intent counts the same, however many examples it has.
    share = wanted / np.maximum(wanted.sum(axis=0), 1)
    importance = share.sum(axis=1, keepdims=True) * np.float32(1 / (wanted.sum(axis=0) > 0).sum())
    for step in range(1, STEPS + 1):
        errors = (_softmax(matrix @ weights) - wanted) * importance
        slope = transposed @ errors + DECAY * weights
        inertia += (1 - INERTIA) * (slope - inertia)
        squares += (1 - MEMORY) * (slope * slope - squares)
        size_of = np.sqrt(squares / (1 - MEMORY**step)) + 1e-8
        rate = RATE * (1 - step / (STEPS + 1))
        weights -= rate * (inertia / (1 - INERTIA**step)) / size_of
    return weights


def _softmax(scores: Weights) -> Weights:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely: Weights = powers / powers.sum(axis=1, keepdims=True)
    return likely
