"""Queries of the index, search results, and the fusion of both lanes.

A lane gives its hit number r the score w / (k + r). The sum over the lanes is the fused score,
computed in the same SQL statement (`index/sql/search.sql`).

The base score follows from the fused rank, as 1 / (1 + decay * (rank - 1)): fused scores hardly
differ by rank (first and tenth by 13 % at k = 60), so every boost would outweigh the search. With
score fusion, the default, distance counts too: near-equals of the best keep nearly its base at any
rank, and boosts decide between them. Further down rank decides, so that a page on an unsuitable
subject can still be overtaken. The base lies in (0, 1], is 1 for the first, and equal for equals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.passage import Passage, by_weight
from retrieval.tuning import RetrievalTuning


@dataclass(frozen=True, slots=True)
class Query:
    """One search. The hospital is not part of it: the database knows which one is served."""

    #: In the hospital's content language, enriched with names of the taxonomy.
    text: str
    #: Language of `text`.
    language: str = "nl"
    #: The question as asked, for encoders that know the asker's language.
    asked: str = ""
    asked_in: str = ""
    #: The question before it, in the asker's words, if `asked` is a follow-up.
    before: str = ""
    #: Folded words of the keyword lane with weights; empty means those of `text`.
    words: Mapping[str, float] = field(default_factory=dict)
    #: Categories of pages to search; empty means all.
    categories: frozenset[str] = frozenset()
    #: Folded stop words: question words, articles, auxiliaries.
    stop_words: frozenset[str] = frozenset()
    tuning: RetrievalTuning = RetrievalTuning()
    #: 0 disables a lane.
    dense_weight: float | None = None
    keyword_weight: float | None = None
    #: Dense hits below this cosine do not count; None: the provider's floor.
    floor: float | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class QueryText:
    """A question as asked, and in the pages' language for encoders that do not know the asker's."""

    asked: str
    asked_in: str
    text: str = ""
    #: The question before it, if this is a follow-up.
    before: str = ""

    @property
    def whole(self) -> str:
        """Return the question; a follow-up comes after the text that completes it."""
        return f"{self.text} {self.asked}" if self.before else self.asked


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages of keyword and vector search, merged, best first."""

    passages: tuple[Passage, ...] = ()
    #: Cosine of the best dense hit, measured before the floor (spec D6).
    best_similarity: float = 0.0
    #: Dense hits at or above the floor.
    dense_hits: int = 0


#: Decay of the base by rank, and the exponent of a near-equal's share of the best score.
BASE_DECAY, BASE_SHARPNESS = 0.35, 2.0


def fused(one: SearchResult, other: SearchResult) -> SearchResult:
    """Fuse the results of two searches for one question, each passage once: a passage of both gets
    both scores."""
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
    """Return base scores by rank and distance for fused scores, best first; equals share a rank."""
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
    """Lower the base of passages whose page is of none of these kinds; return them best first."""
    return by_weight(
        passage
        if passage.base is None or passage.source.category in kinds
        else passage.changed(base=passage.base * factor, suited=factor)
        for passage in passages
    )
