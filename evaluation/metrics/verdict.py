"""Whether a question passes: every check that says what a patient would notice must hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evaluation.metrics.base import Score

#: The least share of expected names (spec 08); a list of doctors must be whole.
LEAST_RECALL = 0.5
WHOLE = frozenset({"doctor_list"})
#: Checks that must hold entirely, where the question says anything about them.
DECISIVE = ("behaviour", "must_not", "source_hit", "sentence")
#: What makes an answer that passes a plain one.
PLAIN = ("complete", "early", "brief", "certain")


def needed_recall(category: str, least: float = LEAST_RECALL) -> float:
    return 1.0 if category in WHOLE else least


def failings(
    category: str, scores: Mapping[str, Score], *, least: float = LEAST_RECALL
) -> Iterator[str]:
    """Give the reasons why a question fails; none when it passes."""
    recall = scores.get("entity_recall")
    if recall and recall.value < needed_recall(category, least):
        yield f"entity_recall: {recall.reason}"
    for name in DECISIVE:
        score = scores.get(name)
        if score and not score.is_full:
            yield f"{name}: {score.reason}"


def is_plain(category: str, scores: Mapping[str, Score]) -> bool:
    """Whether an answer passes and is complete, early, brief and certain, as far as it applies."""
    known = [scores[name] for name in PLAIN if name in scores]
    return not any(failings(category, scores)) and all(score.is_full for score in known)
