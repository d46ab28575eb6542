"""Retrieval settings that staff can change, and the published rows that steer search.

Each field of `RetrievalTuning` is a field of the admin form: name, default and help text. All other
numbers are constants in the module that uses them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from pydantic import TypeAdapter

from retrieval.intents import Intent
from taxonomy.snapshot import Rows, Snapshot


def _(text: str) -> str:
    """Mark words for translators; the admin translates them."""
    return text


@dataclass(frozen=True, slots=True)
class Setting:
    """The help text and bounds of a setting."""

    help: str
    lowest: float = 0.0
    highest: float = 1.0

    def allows(self, value: float) -> bool:
        """Return whether a value is a number within the bounds."""
        return self.lowest <= value <= self.highest


def switch(text: str, *, on: bool = True) -> Any:
    """Return a setting that switches a stage on or off, for staff and evaluations."""
    return field(default=on, metadata={"setting": Setting(text)})


def number(default: float, text: str, lowest: float, highest: float) -> Any:
    """Return a setting with a number."""
    return field(default=default, metadata={"setting": Setting(text, lowest, highest)})


@dataclass(frozen=True, slots=True)
class RetrievalTuning:
    """All settings of retrieval, with their defaults."""

    boosts: bool = switch(_("Lift and lower passages by what is known of their page."))
    value_framework: bool = switch(
        _("Reorder passages by how well their subject suits the question.")
    )
    roster: bool = switch(_("Name all doctors of a department when all are asked for."))
    rescue: bool = switch(_("Search again for a word of the question that no passage contains."))
    decomposition: bool = switch(
        _("Search separately for each part of a question that asks several things.")
    )
    crag: bool = switch(
        _("Search again when the passages found may not answer the question."), on=False
    )
    reranker: bool = switch(
        _("Let the reranker order the best passages, if one is set; always on in full mode."),
        on=False,
    )
    keyword: bool = switch(_("Search by words."))
    dense: bool = switch(_("Search by meaning."))
    taxonomy: bool = switch(_("Add facts of the taxonomy to the passages."))
    supplement: bool = switch(_("Add the department's doctors that an answer does not name."))
    guardrails: bool = switch(
        _("Let the guardrail model check each answer that a model wrote, if one is set.")
    )
    judge: bool = switch(
        _("Let a second model check whether the passages support what a model wrote.")
    )
    cache: bool = switch(_("Give a remembered answer to the same question if nothing has changed."))

    limit: int = number(7, _("Number of passages that an answer may use."), 1, 50)
    full_limit: int = number(15, _("Number of passages in full mode."), 1, 50)
    escalated_limit: int = number(
        20, _("Number of passages when a visitor asks to think harder."), 1, 50
    )
    over_fetch: int = number(
        4,
        _(
            "Number of candidates per search method, as a multiple of the passages that "
            "an answer may use."
        ),
        1,
        20,
    )
    dense_weight: float = number(1.0, _("Weight of the search by meaning."), 0, 1)
    keyword_weight: float = number(1.0, _("Weight of the search by words."), 0, 1)
    bm25_k1: float = number(1.2, _("Saturation of repeated words (BM25 k1)."), 0, 5)
    bm25_b: float = number(0.75, _("Correction for the length of passages (BM25 b)."), 0, 1)
    category_boost: float = number(
        1.20, _("Boost for pages of a category that suits the question."), 0.1, 5
    )
    recency_boost: float = number(1.15, _("Boost for recent news when news is asked for."), 0.1, 5)
    section_boost: float = number(
        1.10, _("Boost for a heading with words of the question."), 0.1, 5
    )
    entity_kind_boost: float = number(
        1.10, _("Boost for passages that name the kind of thing asked for."), 0.1, 5
    )
    campus_boost: float = number(1.10, _("Boost for pages about the campus asked for."), 0.1, 5)
    conversation_boost: float = number(
        1.25, _("Boost for pages that the previous answer cited."), 0.1, 5
    )
    keyword_cap: float = number(
        0.40, _("The most that a passage can gain by containing words of the question."), 0, 1
    )
    tier_1_boost: float = number(
        1.0, _("Boost for pages of the first tier; the second tier gets a third of it."), 0.1, 5
    )
    context_tokens: int = number(
        8_000, _("Number of tokens of passages that an answer may be made from."), 500, 100_000
    )
    cache_seconds: int = number(
        3_600, _("Number of seconds for which an answer may be given again."), 0, 86_400
    )
    live_grades: int = number(
        50, _("Number of answers to patients that are graded per day; 0 for none."), 0, 10_000
    )


#: The settings by name, in the order of the form.
SETTINGS: Mapping[str, Setting] = {
    each.name: each.metadata["setting"] for each in fields(RetrievalTuning)
}


def tuned(overrides: Mapping[str, Any]) -> RetrievalTuning:
    """Return the settings with overrides applied; 0 and False are valid values. Overrides of
    removed settings, which old published versions may have, are ignored."""
    values = {name: value for name, value in overrides.items() if name in SETTINGS}
    return _TUNING.validate_python(asdict(RetrievalTuning()) | values)


_TUNING = TypeAdapter(RetrievalTuning)


#: Affinity outside the matrix.
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
    #: The preferred ones of them.
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
