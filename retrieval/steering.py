"""How the published rows steer search: routes, affinities, filters, guards and numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from retrieval.intents import Intent
from retrieval.tuning import RetrievalTuning, tuned
from taxonomy.snapshot import Rows, Snapshot

#: What an affinity is where the matrix says nothing.
NEUTRAL = 1.0


@dataclass(frozen=True, slots=True)
class Steering:
    """The steering rows of one published version. Unknown rows and categories are neutral."""

    tuning: RetrievalTuning = RetrievalTuning()
    #: Matrix row by intent; a row by topic overrides it.
    by_intent: Mapping[str, str] = field(default_factory=dict)
    by_topic: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[tuple[str, str], float] = field(default_factory=dict)
    guards: Mapping[str, str] = field(default_factory=dict)
    #: Categories of pages that are searched for an intent.
    page_categories: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: Those of them that suit it best.
    preferred_categories: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: Kinds of entities whose mention suits an intent.
    entity_kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def row_for(self, intent: Intent, topic: str = "") -> str:
        """Return the matrix row for a question (spec D2); empty is neutral."""
        if topic and (row := self.by_topic.get(topic)):
            return row
        return self.by_intent.get(intent, "")

    def affinity(self, row: str, category: str) -> float:
        return self.cells.get((row, category), NEUTRAL)


def steering_of(snapshot: Snapshot) -> Steering:
    """Return a snapshot's steering, made once."""
    return snapshot.derived(read_steering)


def read_steering(snapshot: Snapshot) -> Steering:
    routes = snapshot.rows_of("retrieval.steeringroute")
    filters = snapshot.rows_of("retrieval.categoryfilter")
    settings = snapshot.rows_of("retrieval.retrievalsetting")
    return Steering(
        tuning=tuned({r["name"]: r["value"] for r in settings}),
        by_intent={r["intent"]: r["row"] for r in routes if r["intent"] and not r["topic"]},
        by_topic={r["topic"]: r["row"] for r in routes if r["topic"]},
        cells={
            (cell["row"], cell["category"]): float(cell["factor"])
            for cell in snapshot.rows_of("retrieval.affinitycell")
        },
        guards={
            row["category"]: row["guard_en"]
            for row in snapshot.rows_of("retrieval.contentcategory")
        },
        page_categories=grouped(filters, "intent", "document_category"),
        preferred_categories=grouped(
            tuple(row for row in filters if row["is_preferred"]), "intent", "document_category"
        ),
        entity_kinds=grouped(
            snapshot.rows_of("retrieval.entitykindboost"), "intent", "entity_type"
        ),
    )


def grouped(rows: Rows, by: str, value: str) -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        groups[row[by]].add(row[value])
    return {name: frozenset(values) for name, values in groups.items()}
