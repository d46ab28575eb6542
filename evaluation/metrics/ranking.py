"""How well the passages that answer are found, before anything is written.

A labelled passage counts once, however many overlapping chunks hold it (α-nDCG of Clarke et al.
2008 with α = 1). Where every label has a chunk of its own this is the nDCG of the literature.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaluation.cases import Case
from evaluation.intervals import gain
from evaluation.metrics.base import Metric, Outcome, Score

Labelled = Mapping[int, frozenset[int]]


def ndcg_at(depth: int) -> Metric:
    """Return the metric nDCG at a depth."""

    def ndcg(case: Case, outcome: Outcome) -> Score | None:
        if not case.passages:
            return None
        ideal = gain(_novel(_best_order(outcome.labelled), outcome.labelled)[:depth])
        if ideal == 0:
            return Score(0.0, "no chunk of the corpus holds a labelled passage")
        found = gain(_novel(outcome.ranking[:depth], outcome.labelled))
        return Score(found / ideal, "" if found == ideal else _places(outcome))

    return ndcg


def recall_at(depth: int) -> Metric:
    """Return the metric recall at a depth: the share of labelled passages found."""

    def recall(case: Case, outcome: Outcome) -> Score | None:
        if not case.passages:
            return None
        seen = _union(outcome.labelled.get(chunk) for chunk in outcome.ranking[:depth])
        missing = [label.quote for number, label in enumerate(case.passages) if number not in seen]
        value = len(seen) / len(case.passages)
        return Score(value, f"not found: “{'”, “'.join(missing)}”" if missing else "")

    return recall


def _union(sets: Iterable[frozenset[int] | None]) -> frozenset[int]:
    return frozenset().union(*(found for found in sets if found))


def _novel(chunks: Sequence[int], labelled: Labelled) -> list[int]:
    """Return for each chunk how many labels it shows that none before it has shown."""
    seen: set[int] = set()
    gains = []
    for chunk in chunks:
        new = labelled.get(chunk, frozenset()) - seen
        seen |= new
        gains.append(len(new))
    return gains


def _best_order(labelled: Labelled) -> list[int]:
    """Return the chunks with labels, each time the one that shows the most new labels."""
    left, seen, order = dict(labelled), set[int](), list[int]()
    while left:
        best = max(left, key=lambda chunk: (len(left[chunk] - seen), -chunk))
        seen |= left.pop(best)
        order.append(best)
    return order


def _places(outcome: Outcome) -> str:
    places = [
        str(place) for place, chunk in enumerate(outcome.ranking, 1) if chunk in outcome.labelled
    ]
    return f"at {', '.join(places)}" if places else "not among the chunks found"
