"""Tuning: every number that retrieval reads, and the published rows that steer search.

One field of `RetrievalTuning` here is one line in the admin.
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
    """Mark words for translators; `retrieval.meanings` translates them."""
    return text


def switch(label: str, told: str, *, on: bool = True) -> Any:
    """Return the field of a stage or lane that staff may turn, with what they read of it."""
    return field(default=on, metadata={"label": label, "help": told})


@dataclass(frozen=True, slots=True)
class Switches:
    """The stages and lanes that staff, and evaluations, may turn on and off."""

    boosts: bool = switch(_("Boosts"), _("Lift and lower passages by what is known of their page."))
    value_framework: bool = switch(
        _("Affinity matrix"), _("Reorder passages by how well their subject suits the question.")
    )
    roster: bool = switch(
        _("Rosters"), _("Name all doctors of a department when all are asked for.")
    )
    rescue: bool = switch(_("Rescue"), _("Look once more for a word that no passage has."))
    skim: bool = switch(
        _("Read the passages"),
        _("Put the passages in order by the statement in each that answers best."),
    )
    decomposition: bool = switch(
        _("Parts of a question"),
        _("Search by itself for each part of a question that asks several things."),
    )
    crag: bool = switch(
        _("Grade what was found"),
        _(
            "Judge whether the passages can answer; search once more when it is doubtful, "
            "and say so when they cannot."
        ),
        on=False,
    )
    #: Costs nothing, but no model was there to measure.
    filco: bool = switch(
        _("Filter sentences"),
        _(
            "Leave sentences out of the context that have nothing to do with the question; "
            "names that answer stay."
        ),
        on=False,
    )
    #: Needs a server (RERANK_URL).
    reranker: bool = switch(
        _("Reranker"),
        _("Have a reranker judge the best passages, where one is set. Always on in full mode."),
        on=False,
    )
    keyword: bool = switch(_("Word lane"), _("Search by words."))
    dense: bool = switch(_("Meaning lane"), _("Search by meaning."))
    taxonomy: bool = switch(_("Taxonomy"), _("Let facts of the taxonomy join the passages."))
    guardrails: bool = switch(
        _("Guardrails"),
        _("Have a guardrail model look at each answer that a model wrote, where one is set."),
    )
    judge: bool = switch(
        _("Judge"), _("Have a second model judge whether the passages support what a model wrote.")
    )


@dataclass(frozen=True, slots=True)
class RetrievalTuning(Switches):
    # --- lanes and fusion ---
    #: Passages handed on after ranking.
    limit: int = 7
    #: Candidates fetched per lane, as a multiple of `limit`.
    over_fetch: int = 4
    rrf_k: int = 60
    #: How much less the next hit counts than the one before it (retrieval/query.py).
    base_decay: float = 0.35
    #: Fused by scores: power of a near-equal's share of the best score that is its base.
    base_sharpness: float = 2.0
    dense_weight: float = 1.0
    keyword_weight: float = 1.0
    #: Fuse by reciprocal ranks instead of by the lanes' scores; the voice below is then not heard.
    fuse_by_rank: bool = False
    #: The share by which the dense lane's tenth hit must stay behind its first before it counts.
    dense_spread: float = 0.1
    #: How fast it counts fully beyond that.
    dense_spread_gain: float = 6.0
    #: The share of the question's information below which the best keyword hit is doubted.
    keyword_doubt: float = 0.15
    #: Share of the keyword weight that goes to the words as written; the rest goes to their stems.
    exact_share: float = 0.0
    #: BM25's saturation and length normalisation (Robertson & Zaragoza 2009, section 3.5).
    bm25_k1: float = 1.2
    bm25_b: float = 0.75
    #: The same in full mode, and when a visitor asks to think harder.
    full_limit: int = 15
    escalated_limit: int = 20
    escalated_candidates: int = 100
    #: Passages that a reranker is given.
    rerank_candidates: int = 20
    #: What a passage counts on a page of a kind that does not suit the intent.
    other_kinds: float = 0.8
    # --- once passages are read (grading.py) ---
    #: What the odds of its best statement count for a passage, against its place in the search.
    skim_voice: float = 0.65
    #: What its likeness to the question counts: for a cosine of 1, a factor of e to this power.
    likeness_voice: float = 3.5
    #: How loudly a boost speaks in all; 1: only as it is tabled.
    category_voice: float = 2.43
    entity_kind_voice: float = 6.3
    language_voice: float = 2.91
    answer_form_voice: float = 0.0
    content_keywords_voice: float = 2.1
    #: What it counts to have all doctors, or all departments, that the taxonomy answers with (of
    #: some: their share), or the number or hours asked for: a factor of e to this power.
    people_voice: float = 3.6
    places_voice: float = 0.9
    details_voice: float = 1.65
    #: For the passage that a page begins with.
    opening_boost: float = 1.36
    #: How much more a longer passage counts: its length to this power.
    length_voice: float = 0.07
    # --- boosts ---
    category_boost: float = 1.20
    #: 1.50 and 0.70 in the references; 1 because it measured worse (docs/decisions/007).
    navigational_up: float = 1.0
    navigational_down: float = 1.0
    recency_boost: float = 1.15
    recency_days: int = 7
    section_boost: float = 1.10
    entity_kind_boost: float = 1.10
    campus_boost: float = 1.10
    conversation_boost: float = 1.25
    #: Among near-equals the page in the asker's language wins.
    language_boost: float = 1.10
    #: A passage that has an hour, an amount or a number when that is what is asked for.
    answer_form_boost: float = 1.30
    keyword_step_short: float = 0.05
    keyword_step_medium: float = 0.10
    keyword_step_long: float = 0.20
    keyword_cap: float = 0.40
    #: 1.15 and 1.05 in the references; 1 for the same reason.
    tier_1_boost: float = 1.0
    tier_2_boost: float = 1.0
    # --- models ---
    #: Whether a model reads questions of which the embedded engine is not certain.
    model_understanding: bool = True
    #: Confidence of the embedded engine from which no model is asked.
    certain_from: float = 0.85
    # --- injection gate ---
    gate_min_dense_results: int = 3
    #: How similar the best hit must be not to be weak, as a multiple of the cosine that the
    #: embedding provider is calibrated to (0.35 for text-embedding-3-large).
    gate_low_similarity: float = 1.0
    #: Whether doctors of a department may be added after an answer that names it.
    supplement: bool = True
    # --- grading what was found (docs/evaluation.md) ---
    #: Likeness of the best passage, as a multiple of the calibrated cosine: enough, and too little.
    crag_like: float = 1.45
    crag_unlike: float = 1.2
    #: Share of the question's words that one passage speaks of: enough, and too little.
    crag_cover: float = 0.34
    crag_uncovered: float = 0.26
    # --- answers ---
    #: How likely a quotation must be to answer, to be shown as an answer (manage.py calibrate).
    sure_from: float = 0.6
    #: Live answers that are graded a day, off their path (docs/evaluation.md); 0: none.
    live_grades: int = 50
    # --- answers given before ---
    cache: bool = True
    #: Seconds for which an answer is given again.
    cache_seconds: int = 3_600
    #: Share of their content words that two questions must have in common.
    cache_overlap: float = 0.5
    # --- context ---
    context_tokens: int = 8_000
    neighbour_factor: float = 0.5
    #: Passages whose categories elect the primary one.
    primary_top: int = 5


def tuned(overrides: Mapping[str, Any]) -> RetrievalTuning:
    """Return the numbers with overrides laid over them; unknown names are passed over, and 0 and
    False are values like any other."""
    known = {field.name for field in fields(RetrievalTuning)}
    values = {name: value for name, value in overrides.items() if name in known}
    return _TUNING.validate_python(asdict(RetrievalTuning()) | values)


_TUNING = TypeAdapter(RetrievalTuning)


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
