"""Which need a question has, and how likely: a softmax regression over the encoder's vector of the
question and the concepts of the lexicon that it speaks of.

The vector is the one that the search makes anyway; concepts are known from the one reading, and
serve all languages alike. Trained in `lab/needs`; `chat/defaults/needs.md` is the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import softmax

from retrieval.vectors import Matrix

FILE = Path(__file__).parents[2] / "defaults" / "needs.npz"
#: What the concepts of a question count for together, beside a vector of length 1.
CONCEPTS = 0.5
#: How many needs are told of a question.
MOST = 3


@dataclass(frozen=True, slots=True)
class Need:
    """One of the needs of `taxonomy.needs`, with its probability."""

    key: str
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class NeedHead:
    """The weights. Needs and concepts that they do not know count for nothing."""

    keys: Sequence[str]
    #: The row of each concept below those of the vector.
    concepts: Mapping[str, int]
    weights: Matrix
    bias: Matrix

    def probabilities(self, vector: Matrix, concepts: Iterable[str]) -> Mapping[str, float]:
        """Return how likely a question has each need, from its vector and its concepts."""
        spoken = concept_row(concepts, self.concepts)
        chances = softmax(np.concatenate([vector, spoken]) @ self.weights + self.bias)
        return dict(zip(self.keys, chances.tolist(), strict=True))

    def likeliest(self, vector: Matrix, concepts: Iterable[str]) -> tuple[Need, ...]:
        """Return the likeliest needs of a question, the best first."""
        found = self.probabilities(vector, concepts)
        best = sorted(found, key=found.__getitem__, reverse=True)[:MOST]
        return tuple(Need(key, round(found[key], 4)) for key in best)


def concept_row(concepts: Iterable[str], known: Mapping[str, int]) -> Matrix:
    """Return the concepts of one question as numbers, as loud together as `CONCEPTS`."""
    row = np.zeros(len(known), dtype=np.float32)
    row[[known[name] for name in concepts if name in known]] = 1.0
    return row * (CONCEPTS / max(float(np.sqrt(row.sum())), 1.0))


@cache
def need_head(path: Path = FILE) -> NeedHead:
    """Return what was learned."""
    with np.load(path) as file:
        concepts = {name: at for at, name in enumerate(file["concepts"].tolist())}
        weights, bias = (file[name].astype(np.float32) for name in ("weights", "bias"))
        return NeedHead(tuple(file["keys"].tolist()), concepts, weights, bias)
