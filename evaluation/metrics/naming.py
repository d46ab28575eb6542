"""What a right answer names, and what it must not."""

from __future__ import annotations

from evaluation.cases import Case
from evaluation.metrics.base import Outcome, Score
from evaluation.metrics.wording import says


def entity_recall(case: Case, outcome: Outcome) -> Score | None:
    """The share of expected names and numbers that the answer gives."""
    if not case.entities:
        return None
    missing = [wanted for wanted in case.entities if not says(outcome.answer, wanted)]
    value = 1 - len(missing) / len(case.entities)
    return Score(value, f"missing: {', '.join(missing)}" if missing else "")


def must_not(case: Case, outcome: Outcome) -> Score | None:
    """Whether nothing is said that must not be said."""
    if not case.must_not:
        return None
    said = [unwanted for unwanted in case.must_not if says(outcome.answer, unwanted)]
    return Score(0.0, f"said: {', '.join(said)}") if said else Score(1.0)
