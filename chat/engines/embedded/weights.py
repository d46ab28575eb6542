"""What each trait of a statement is worth, fitted on questions whose answers are known.

`WORTH` says which statement answers: a softmax over the statements of a question. `SURETY` says
whether the best one answers at all: a logistic regression on questions with the pages that answer
them, and on the same questions with those pages taken away.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from chat.engines.embedded.traits import TRAITS, Column, Grid

WORTH: Mapping[str, float] = {
    "covers": 0.57,
    "covers_most": 1.92,
    "page_covers": -0.10,
    "on_subject": 0.66,
    "under_subject": 0.29,
    "page_on_subject": 1.01,
    "page_misses": -1.64,
    "titled_after": 1.03,
    "alike": 6.34,
    "page_alike": 4.80,
    "page_weight": 1.59,
    "weight": 1.92,
    "not_found": -0.71,
    "gives": 1.35,
    "gives_beside": 0.42,
    "gives_not": -0.68,
    "there": 3.05,
    "elsewhere": -2.07,
    "in_table": 0.35,
    "length": 0.40,
    "figure": 1.82,
    "same_language": 0.80,
    "third_language": -2.24,
    "age": -0.05,
    "authority": 3.22,
}

#: What the share of all odds that a statement has is worth, and what nothing is.
SHARE, NOTHING = 1.90, -4.95
SURETY: Mapping[str, float] = {
    "covers": 0.90,
    "page_on_subject": 0.85,
    "page_misses": -0.61,
    "titled_after": 1.39,
    "alike": 0.02,
    "page_alike": 5.78,
    "elsewhere": -4.53,
    "not_found": 0.18,
    "same_language": -0.13,
    "third_language": 0.00,
}


def scores(figures: Grid) -> Column:
    """Return how well each statement answers, as odds against the others to the base e."""
    return _weighed(figures, WORTH)


def sureties(figures: Grid, odds: Column) -> Column:
    """Return how likely each statement is to answer at all, from 0 to 1."""
    shares = np.exp(odds - odds.max())
    logits = _weighed(figures, SURETY) + SHARE * shares / shares.sum() + NOTHING
    sure: Column = 1 / (1 + np.exp(-logits))
    return sure


def _weighed(figures: Grid, worth: Mapping[str, float]) -> Column:
    weighed: Column = figures @ np.array([worth.get(name, 0.0) for name in TRAITS])
    return weighed
