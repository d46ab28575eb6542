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
    "covers": 0.61,
    "covers_most": 1.90,
    "page_covers": 0.29,
    "on_subject": 0.80,
    "under_subject": 0.29,
    "page_on_subject": 0.49,
    "page_misses": -2.24,
    "titled_after": 0.97,
    "alike": 6.76,
    "page_alike": 5.47,
    "page_weight": 1.42,
    "weight": 1.78,
    "not_found": -1.01,
    "gives": 1.54,
    "gives_beside": 0.64,
    "gives_not": -0.77,
    "there": 3.06,
    "elsewhere": -2.01,
    "in_table": 0.38,
    "length": 0.29,
    "figure": 1.80,
    "same_language": 1.40,
    "third_language": -2.57,
    "age": -0.06,
    "authority": 2.77,
}

#: What the share of all odds that a statement has is worth, and what nothing is.
SHARE, NOTHING = 1.90, -4.50
SURETY: Mapping[str, float] = {
    "covers": 0.78,
    "page_on_subject": 0.62,
    "page_misses": -1.00,
    "titled_after": 1.44,
    "alike": -0.14,
    "page_alike": 5.62,
    "elsewhere": -6.20,
    "not_found": -0.74,
    "same_language": -0.26,
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
