"""Whether facts of the taxonomy join the passages, or would only dilute them."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.intents import Intent


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate decided, and the rule that decided it."""

    injects: bool
    rule: str


def decide(
    intent: Intent,
    *,
    names_a_place: bool = False,
    dense_hits: int,
    best_similarity: float,
    min_hits: int,
    low_similarity: float,
) -> Decision:
    """Apply the four rules in order. `best_similarity` is measured before any floor (spec D6).

    Who finds their way to something that has a telephone number and hours asks the taxonomy too.
    """
    if intent.is_structural or (intent.is_navigational and names_a_place):
        return Decision(injects=True, rule="structural intent")
    if dense_hits < min_hits:
        return Decision(injects=True, rule="few dense results")
    if best_similarity < low_similarity:
        return Decision(injects=True, rule="low similarity")
    return Decision(injects=False, rule="strong passages")
