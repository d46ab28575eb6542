"""Which intent a question has, or whether it is an emergency, learned from examples: a softmax
regression.

The examples are rows that staff edit, so it is fitted anew with every published version: in a
second, always to the same weights. Every decision is a sum of weights of features that a person
can read, and of what the sentence means as a whole (`meaning`); both are shown to staff.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from scipy.sparse import csr_array

from chat.question.learned.store import packed, texts
from retrieval.intents import Intent

Features: TypeAlias = Mapping[str, float]
Weights: TypeAlias = np.ndarray[Any, Any]
Label = TypeVar("Label", bound=str)
#: How strongly weights are held near zero, and how many steps are taken towards the best.
DECAY, STEPS = 1e-4, 45
#: Length and inertia of a step, and the share of the squares of earlier slopes that is kept.
RATE, INERTIA, MEMORY = 0.35, 0.9, 0.99
#: A feature of fewer examples says more about them than about a label.
SEEN = 2
#: What the meaning of the whole sentence counts for beside its features, of which it has many.
MEANT, WHOLE = 0.7, "meaning"
#: What questions are told apart by, where nothing else is said.
INTENTS = tuple(Intent)


@dataclass(frozen=True, slots=True)
class Reason:
    """What spoke for a label, and how loudly."""

    feature: str
    weight: float


class Classifier(Generic[Label]):
    """Weights of features for every label, such as an intent. Immutable once fitted."""

    def __init__(
        self,
        examples: Sequence[tuple[Label, Features]],
        meanings: Weights | None = None,
        *,
        labels: Sequence[Label],
    ) -> None:
        """Learn from examples; `meanings` has a row for each of them."""
        self._labels = tuple(labels)
        seen = Counter(name for _, features in examples for name in features)
        # In one order, however a process counts: sums of the same numbers differ by their order.
        names = sorted(name for name, times in seen.items() if times >= SEEN)
        self._columns = {name: at for at, name in enumerate(names)}
        self._weights = np.zeros((len(names) + 1, len(self._labels)), dtype=np.float32)
        meant = np.zeros((len(examples), 0)) if meanings is None else meanings * MEANT
        meant = meant.astype(np.float32)
        self._senses = np.zeros((meant.shape[1], len(self._labels)), dtype=np.float32)
        if examples and names:
            fitted = _fit((self._matrix(examples), meant), self._targets(examples))
            self._weights, self._senses = fitted

    @property
    def kept(self) -> dict[str, Weights]:
        """What was learned, for `again`."""
        return {
            "features": packed(list(self._columns)),
            "weights": self._weights,
            "senses": self._senses,
        }

    @classmethod
    def again(cls, kept: Mapping[str, Weights], labels: Sequence[Label]) -> Classifier[Label]:
        """Return a classifier that was fitted before, for the same labels."""
        classifier = cls.__new__(cls)
        classifier._labels = tuple(labels)
        classifier._columns = {name: at for at, name in enumerate(texts(kept["features"]))}
        classifier._weights, classifier._senses = kept["weights"], kept["senses"]
        return classifier

    def scores(self, features: Features, meaning: Weights | None = None) -> dict[Label, float]:
        """Return the probability of each label."""
        row = self._row(features)
        total = sum((value * self._weights[at] for at, value in row), self._weights[-1].copy())
        chances = _softmax((total + self._meant(meaning))[None, :])[0]
        return {label: float(chances[at]) for at, label in enumerate(self._labels)}

    def reasons(
        self, features: Features, label: Label, meaning: Weights | None = None, most: int = 8
    ) -> tuple[Reason, ...]:
        """Return what speaks most for a label, compared with the others."""
        at = self._labels.index(label)
        value_of = {
            name: value * (row[at] - row.mean())
            for name, value in self._known(features).items()
            for row in (self._weights[self._columns[name]],)
        }
        whole = self._meant(meaning)
        if whole.any():
            value_of[WHOLE] = whole[at] - whole.mean()
        best = sorted(value_of, key=lambda name: -value_of[name])[:most]
        return tuple(Reason(name, round(float(value_of[name]), 3)) for name in best)

    def _meant(self, meaning: Weights | None) -> Weights:
        if meaning is None or not len(self._senses):
            return np.zeros(len(self._labels), dtype=np.float32)
        spoken: Weights = (meaning * MEANT) @ self._senses
        return spoken

    def _known(self, features: Features) -> Features:
        """Return the features that examples have as well, at one length in all."""
        known = {name: features[name] for name in sorted(features) if name in self._columns}
        length = sqrt(sum(value * value for value in known.values())) or 1.0
        return {name: value / length for name, value in known.items()}

    def _row(self, features: Features) -> list[tuple[int, float]]:
        return [(self._columns[name], value) for name, value in self._known(features).items()]

    def _matrix(self, examples: Iterable[tuple[Label, Features]]) -> csr_array:
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

    def _targets(self, examples: Sequence[tuple[Label, Features]]) -> Weights:
        wanted = np.zeros((len(examples), len(self._labels)), dtype=np.float32)
        columns = [self._labels.index(label) for label, _ in examples]
        wanted[np.arange(len(examples)), columns] = 1
        return wanted


def _fit(blocks: tuple[csr_array, Weights], wanted: Weights) -> tuple[Weights, Weights]:
    """Return the weights under which the examples are likeliest: steps down the slope, by Adam."""
    features, meanings = blocks
    descents = (
        _Descent(features.T.tocsr(), (features.shape[1], wanted.shape[1])),
        _Descent(meanings.T, (meanings.shape[1], wanted.shape[1])),
    )
    # Every label counts the same, however many examples it has.
    share = wanted / np.maximum(wanted.sum(axis=0), 1)
    importance = share.sum(axis=1, keepdims=True) * np.float32(1 / (wanted.sum(axis=0) > 0).sum())
    for step in range(1, STEPS + 1):
        scores = features @ descents[0].weights + meanings @ descents[1].weights
        errors = (_softmax(scores) - wanted) * importance
        for descent in descents:
            descent.step(errors, step)
    return descents[0].weights, descents[1].weights


class _Descent:
    """The weights of some features, on their way down."""

    def __init__(self, transposed: Any, shape: tuple[int, int]) -> None:
        self.weights: Weights = np.zeros(shape, dtype=np.float32)
        self._transposed = transposed
        self._inertia, self._squares = np.zeros_like(self.weights), np.zeros_like(self.weights)

    def step(self, errors: Weights, step: int) -> None:
        slope = self._transposed @ errors + DECAY * self.weights
        self._inertia += (1 - INERTIA) * (slope - self._inertia)
        self._squares += (1 - MEMORY) * (slope * slope - self._squares)
        size_of = np.sqrt(self._squares / (1 - MEMORY**step)) + 1e-8
        rate = RATE * (1 - step / (STEPS + 1))
        self.weights -= rate * (self._inertia / (1 - INERTIA**step)) / size_of


def _softmax(scores: Weights) -> Weights:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely: Weights = powers / powers.sum(axis=1, keepdims=True)
    return likely
