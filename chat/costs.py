"""What the models of a turn cost, by the prices that staff keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from taxonomy.publishing.snapshot import Snapshot
from zol.llm.base import Call

ROWS = "chat.modelprice"
MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Prices for a million tokens read and written, by model."""

    by_model: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def cost(self, calls: Iterable[Call]) -> float:
        """Return what calls cost together; a model without a price costs nothing."""
        total = 0.0
        for call in calls:
            read, written = self.by_model.get(call.model, (0.0, 0.0))
            total += (call.tokens_in * read + call.tokens_out * written) / MILLION
        return total


def prices_of(snapshot: Snapshot) -> Prices:
    """Return a version's prices; use it through `snapshot.derived(prices_of)`."""
    rows = snapshot.rows_of(ROWS)
    return Prices(
        {
            str(row["model"]): (float(row["input_per_million"]), float(row["output_per_million"]))
            for row in rows
        }
    )
