"""Search queries, search results, and the fusion of lanes.

A lane gives its hit number r the score w / (k + r). The sum over the lanes is the fused score; the
database computes it in the same statement (`index/sql/search.sql`). The base score follows from
the fused rank, as 1 / (1 + decay * (rank - 1)). Fused ranks hardly differ in score (first and tenth
place by 13 % at k = 60), so that every boost would outvote the search.

Where the lanes' own scores are fused, as they are by default, the distance counts too: what is
nearly as good as the best has nearly its base, whatever its rank, and boosts decide. Beyond that
the rank does, so that a page on a subject that does not suit can still be overtaken.

The base lies in (0, 1], is 1 for the first, never 0 for a hit, and equal for equals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.passage import Passage, by_weight
from retrieval.tuning import RetrievalTuning


@dataclass(frozen=True, slots=True)
class Query:
    """One search. The hospital is not part of it: the database knows whom we serve."""

    #: In the hospital's content language, enriched with names of the taxonomy.
    text: str
    #: The words of `text` are in this language.
    language: str = "nl"
    #: The question as it was asked, for an embedding that understands the asker's language.
    asked: str = ""
    asked_in: str = ""
    #: What was asked before it, in the asker's words, where `asked` only goes on from that.
    before: str = ""
    #: Folded words for the keyword lane with what each counts; none means those of `text`.
    words: Mapping[str, float] = field(default_factory=dict)
    #: Categories of pages to search; empty means all.
    categories: frozenset[str] = frozenset()
    #: Folded words that say nothing: question words, articles, auxiliaries.
    stop_words: frozenset[str] = frozenset()
    tuning: RetrievalTuning = RetrievalTuning()
    #: 0 switches a lane off.
    dense_weight: float | None = None
    keyword_weight: float | None = None
    #: Cosine below which a dense hit does not count; None is the provider's own.
    floor: float | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class QueryText:
    """A question as it was asked, and in the pages' language for who does not hear the asker's."""

    asked: str
    asked_in: str
    text: str = ""
    #: What was asked before it, where it only goes on from that.
    before: str = ""

    @property
    def whole(self) -> str:
        """Return the question; one that goes on behind what completes it, to be read as one."""
        return f"{self.text} {self.asked}" if self.before else self.asked


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages of both lanes, fused, best first."""

    passages: tuple[Passage, ...] = ()
    #: Cosine of the best dense hit, measured before the floor (spec D6).
    best_similarity: float = 0.0
    #: Dense hits at or above the floor.
    dense_hits: int = 0


#: How much less the next hit counts than the one before it, and the power of a near-equal's share
#: of the best score that is its base.
BASE_DECAY, BASE_SHARPNESS = 0.35, 2.0


def fused(one: SearchResult, other: SearchResult, *, share: float = 1.0) -> SearchResult:
    """Return what two searches for one question found, each passage once: one that both found
    counts for both, what the other found by a share."""
    bases: dict[int, float] = {}
    best: dict[int, Passage] = {}
    weighed = [(p, 1.0) for p in one.passages] + [(p, share) for p in other.passages]
    for passage, weight in weighed:
        key, known = passage.chunk_id, best.get(passage.chunk_id)
        bases[key] = bases.get(key, 0.0) + weight * (passage.base or 0.0)
        if known is None or known.similarity < passage.similarity:
            best[key] = passage
    order = sorted(best, key=lambda key: -bases[key])
    scores = bases_by_score(
        [bases[key] for key in order], decay=BASE_DECAY, sharpness=BASE_SHARPNESS
    )
    return SearchResult(
        tuple(best[key].changed(base=base) for key, base in zip(order, scores, strict=True)),
        max(one.best_similarity, other.best_similarity),
        max(one.dense_hits, other.dense_hits),
    )


def base_scores(fused: Sequence[float], *, decay: float) -> list[float]:
    """Return the base scores of fused scores that stand best first."""
    bases: list[float] = []
    rank = 0
    for place, score in enumerate(fused):
        if place == 0 or score < fused[place - 1]:
            rank = place
        bases.append(1.0 / (1.0 + decay * rank))
    return bases


def bases_by_score(fused: Sequence[float], *, decay: float, sharpness: float) -> list[float]:
    """Return the base scores of fused scores that stand best first, near-equals near each other."""
    best = max(fused, default=0.0)
    shares = [max(score, 0.0) / best if best > 0 else 0.0 for score in fused]
    by_rank = base_scores(fused, decay=decay)
    return [max(share**sharpness, base) for share, base in zip(shares, by_rank, strict=True)]


def preferring(
    passages: Iterable[Passage], kinds: Collection[str], *, factor: float
) -> tuple[Passage, ...]:
    """Return passages with a lower base where their page is of none of these kinds, best first."""
    return by_weight(
        passage
        if passage.base is None or passage.source.category in kinds
        else passage.changed(base=passage.base * factor, suited=factor)
        for passage in passages
    )
