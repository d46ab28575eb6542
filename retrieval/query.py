"""Queries, search results, and base scores.

The search (`index/sql/search.sql`) adds the scores of the keyword and the vector search, each
relative to its best hit. The base score of a passage follows from its fused score and rank, and is
the larger of two values: (score / best score) squared, so that near-equals of the best are ordered
by boosts, and 1 / (1 + decay * (rank - 1)), so that a boost can still lift a hit further down. It
lies in (0, 1], is 1 for the first passage, and equal for equal fused scores.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.passage import Passage, by_weight
from retrieval.tuning import RetrievalTuning


@dataclass(frozen=True, slots=True)
class Query:
    """One search in the served hospital."""

    #: In the hospital's content language, enriched with names of the taxonomy.
    text: str
    #: Language of `text`.
    language: str = "nl"
    #: The question as asked, for encoders that support the asker's language.
    asked: str = ""
    asked_in: str = ""
    #: The question before it, in the asker's words, if `asked` is a follow-up.
    before: str = ""
    #: Folded words of the keyword search with weights; empty means those of `text`.
    words: Mapping[str, float] = field(default_factory=dict)
    #: Categories of pages to search; empty means all.
    categories: frozenset[str] = frozenset()
    #: Folded stop words: question words, articles, auxiliaries.
    stop_words: frozenset[str] = frozenset()
    tuning: RetrievalTuning = RetrievalTuning()
    #: Weights of the vector and the keyword search; 0 turns one off, None takes the setting.
    dense_weight: float | None = None
    keyword_weight: float | None = None
    #: Dense hits below this cosine do not count; None: the provider's floor.
    floor: float | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages of the vector and the keyword search, fused, best first."""

    passages: tuple[Passage, ...] = ()
    #: Cosine of the best dense hit, measured before the floor (spec D6).
    best_similarity: float = 0.0
    #: Dense hits at or above the floor.
    dense_hits: int = 0


#: Decay of the base by rank, and exponent of a passage's share of the best score.
BASE_DECAY, BASE_SHARPNESS = 0.35, 2.0


def fused(one: SearchResult, other: SearchResult) -> SearchResult:
    """Fuse the results of two searches for one question: each passage gets the sum of its base
    scores."""
    bases: dict[int, float] = {}
    best: dict[int, Passage] = {}
    for passage in (*one.passages, *other.passages):
        key, known = passage.chunk_id, best.get(passage.chunk_id)
        bases[key] = bases.get(key, 0.0) + (passage.base or 0.0)
        if known is None or known.similarity < passage.similarity:
            best[key] = passage
    order = sorted(best, key=lambda key: -bases[key])
    scores = bases_by_score([bases[key] for key in order])
    return SearchResult(
        tuple(best[key].changed(base=base) for key, base in zip(order, scores, strict=True)),
        max(one.best_similarity, other.best_similarity),
        max(one.dense_hits, other.dense_hits),
    )


def bases_by_score(fused: Sequence[float]) -> list[float]:
    """Return the base scores of fused scores, given best first; equal scores share a rank."""
    best = max(fused, default=0.0)
    bases: list[float] = []
    rank = 0
    for place, score in enumerate(fused):
        if place == 0 or score < fused[place - 1]:
            rank = place
        share = max(score, 0.0) / best if best > 0 else 0.0
        bases.append(max(share**BASE_SHARPNESS, 1.0 / (1.0 + BASE_DECAY * rank)))
    return bases


def preferring(
    passages: Iterable[Passage], kinds: Collection[str], *, factor: float
) -> tuple[Passage, ...]:
    """Multiply the base of passages whose page is in other categories by `factor`; return all, best
    first."""
    return by_weight(
        passage
        if passage.base is None or passage.source.category in kinds
        else passage.changed(base=passage.base * factor, suited=factor)
        for passage in passages
    )
