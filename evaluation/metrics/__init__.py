"""The metrics of answers. To add one, write the function and list it here."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.golden import Case
from evaluation.metrics.answers import (
    answered,
    behaviour,
    brief,
    certain,
    complete,
    early,
    entity_recall,
    intent,
    language,
    must_not,
    passage_language,
    refusal,
    sentence,
    source_hit,
    whole,
)
from evaluation.metrics.base import Metric, Outcome, Score, failings, is_plain, ndcg_at, recall_at

__all__ = ["METRICS", "Metric", "Outcome", "Score", "failings", "is_plain", "measure"]

METRICS: Mapping[str, Metric] = {
    "behaviour": behaviour,
    "entity_recall": entity_recall,
    "must_not": must_not,
    "source_hit": source_hit,
    "sentence": sentence,
    "refusal": refusal,
    "intent": intent,
    "language": language,
    "passage_language": passage_language,
    "complete": complete,
    "early": early,
    "brief": brief,
    "certain": certain,
    "whole": whole,
    "answered": answered,
    "ndcg@10": ndcg_at(10),
    "recall@5": recall_at(5),
    "recall@10": recall_at(10),
    "recall@20": recall_at(20),
}


def measure(case: Case, outcome: Outcome) -> dict[str, Score]:
    """Return the score of an outcome by every metric that applies to the case."""
    scored = ((name, metric(case, outcome)) for name, metric in METRICS.items())
    return {name: score for name, score in scored if score is not None}
