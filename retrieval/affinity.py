"""Keep passages about the wrong subject from outranking those about the right one.

Similarity cannot tell "park my wheelchair" from "be reimbursed for my wheelchair": both say
"rolstoel". What the visitor wants can. The operator is a factor on each passage's weight, set and
never multiplied, so that applying it twice equals applying it once (spec D19).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.passage import GENERAL, Passage, by_weight
from retrieval.steering import NEUTRAL, Steering


def rebalance(passages: Iterable[Passage], row: str, steering: Steering) -> tuple[Passage, ...]:
    """Reorder passages by how well their subject suits the steering row."""
    return by_weight(
        p.changed(affinity=steering.affinity(row, p.category), steered_by=row) for p in passages
    )


def primary_category(passages: Sequence[Passage], *, top: int = 5) -> str:
    """Return the subject with the most score, so that three weak votes lose to two strong."""
    weights: dict[str, float] = defaultdict(float)
    for passage in passages[:top]:
        weights[passage.category] += passage.score
    return max(weights, key=lambda category: weights[category]) if weights else GENERAL


@dataclass(frozen=True, slots=True)
class Mismatch:
    """How many of the best passages are about something else than was asked (spec D7)."""

    total: int = 0
    off: int = 0

    @property
    def rate(self) -> float:
        return self.off / self.total if self.total else 0.0


def mismatch(
    passages: Sequence[Passage], row: str, steering: Steering, *, top: int = 5
) -> Mismatch:
    """Count the best passages whose affinity for the row is below neutral."""
    best = passages[:top]
    off = sum(steering.affinity(row, passage.category) < NEUTRAL for passage in best)
    return Mismatch(len(best), off)
