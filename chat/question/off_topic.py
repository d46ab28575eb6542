"""Whether a question is about everyday life rather than about anything that a hospital deals with.

What is said for it and against it is added up: what the encoder's vector of the question says, what
the examples teach (words and meaning), which examples it is like, and against them what the
hospital itself has by that name. The vector's weights are learned in `lab/needs/everyday.py`. The
first three of `FITTED` and the last were chosen by 480 labelled messages, 645 golden questions and
895 questions of exams, so that no golden question about everyday life is answered. The others were
set by hand: of a hospital's own things and titles such questions say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path

import numpy as np

from retrieval.intents import Intent
from retrieval.vectors import Matrix

FILE = Path(__file__).parent.parent / "defaults" / "everyday.npz"
#: The nearest that a probability comes to none or to all.
LEAST = 1e-4
#: What each sign counts for: the logarithm of the odds that it adds.
FITTED: Mapping[str, float] = {
    "vector": 0.4,
    "learned": 0.6,
    "like everyday examples": 8.0,
    "practical matter": -1.5,
    "thing of the hospital": -1.0,
    "words of a title": -6.0,
    "beforehand": 0.9,
}
#: The sum from which a question is not answered; those that follow others mean those.
FROM, FOLLOWING = 0.0, 2.0


@cache
def vector_weights(path: Path = FILE) -> tuple[Matrix, float]:
    """Return what each number of the encoder's vector counts for, and what is added."""
    with np.load(path) as file:
        return file["weights"].astype(np.float32), float(file["bias"])


def odds_of(vector: Matrix) -> float:
    """Return the logarithm of the odds that a question is everyday, by its vector alone."""
    weights, bias = vector_weights()
    return float(vector @ weights) + bias


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for and against a question being everyday."""

    #: The logarithm of the odds by the encoder's vector alone.
    vector: float
    learned: Mapping[Intent, float]
    #: By how much it is more like an everyday example than like one that is answered.
    likeness: float
    #: Whether the likeliest needs are practical ones of a hospital.
    is_practical: bool
    #: Whether something of the hospital is named exactly.
    is_certain: bool
    #: Whether one of the hospital's titles or headings has the question's words.
    is_titled: bool
    has_history: bool

    @property
    def weights(self) -> dict[str, float]:
        """Return what each sign that was seen adds."""
        seen = {
            "vector": self.vector,
            "learned": _odds(self.learned.get(Intent.OFF_TOPIC, 0.0)),
            "like everyday examples": self.likeness,
            "practical matter": float(self.is_practical),
            "thing of the hospital": float(self.is_certain),
            "words of a title": float(self.is_titled),
            "beforehand": 1.0,
        }
        return {name: round(FITTED[name] * value, 3) for name, value in seen.items() if value}

    @property
    def is_everyday(self) -> bool:
        return sum(self.weights.values()) > (FOLLOWING if self.has_history else FROM)


def _odds(chance: float) -> float:
    chance = min(max(chance, LEAST), 1 - LEAST)
    return log(chance / (1 - chance))
