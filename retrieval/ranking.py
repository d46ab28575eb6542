"""Rank passages: boosts, affinity of their category for the question, and reranker scores.

Words alone cannot tell a question about where to leave a wheelchair from one about its
reimbursement; the intent can. So each content category has an affinity for what is asked, a factor
on the passage's weight. It replaces the passage's earlier affinity, so applying it twice equals
applying it once (spec D19).

Every boost is a factor recorded under its name. To add one, write the function and list it in
`SIGNALS`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from retrieval.fields import Scope, with_context
from retrieval.intents import Intent
from retrieval.passage import GENERAL, Boost, Passage, by_weight
from retrieval.tuning import NEUTRAL, RetrievalTuning, Steering
from zol.text import word_set


class Naming(NamedTuple):
    """Share of the things asked about that a passage names: anywhere, and in its title or
    section."""

    text: float = 0.0
    heading: float = 0.0


#: Boost for a passage that names everything asked about, once for its text and once for its
#: heading; and the name of that boost in the trace.
NAMES_ASKED, ASKED = 0.8, "asked"


def rebalance(
    passages: Iterable[Passage],
    row: str,
    steering: Steering,
    naming: Mapping[int, Naming] = MappingProxyType({}),
    *,
    lifts: bool = False,
) -> tuple[Passage, ...]:
    """Reorder passages by the affinity of their category for a steering row.

    A passage that names everything asked about is never lowered. With `lifts`, naming it is also a
    boost.
    """

    def steered(passage: Passage) -> Passage:
        affinity = steering.affinity(row, passage.category)
        names = naming.get(passage.chunk_id, Naming())
        if names.text == 1.0:
            affinity = max(affinity, NEUTRAL)
        boosts = tuple(each for each in passage.boosts if each.name != ASKED)
        factor = (1 + NAMES_ASKED * names.text) * (1 + NAMES_ASKED * names.heading)
        if lifts and factor > 1.0:
            boosts = (*boosts, Boost(ASKED, factor))
        return passage.changed(affinity=affinity, steered_by=row, boosts=boosts)

    return by_weight(map(steered, passages))


def changed_by(passages: Sequence[Passage]) -> tuple[str, ...]:
    """Return the categories without whose affinity another passage would come first."""

    def first(neutral: str = "") -> Passage:
        return max(
            passages, key=lambda p: p.weight / p.affinity if p.category == neutral else p.weight
        )

    categories = dict.fromkeys(p.category for p in passages)
    return tuple(each for each in categories if first(each) is not first())


def primary_category(passages: Sequence[Passage], *, top: int = 5) -> str:
    """Return the category with the highest total score."""
    weights: dict[str, float] = defaultdict(float)
    for passage in passages[:top]:
        weights[passage.category] += passage.score
    return max(weights, key=lambda category: weights[category]) if weights else GENERAL


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Count of the best passages, and of those off the question's subject (spec D7)."""

    total: int = 0
    off: int = 0

    @property
    def rate(self) -> float:
        return self.off / self.total if self.total else 0.0


def mismatch(
    passages: Sequence[Passage], row: str, steering: Steering, *, top: int = 5
) -> Mismatch:
    """Count the best passages, and those whose affinity for the row is below neutral."""
    best = passages[:top]
    off = sum(steering.affinity(row, passage.category) < NEUTRAL for passage in best)
    return Mismatch(len(best), off)


@dataclass(frozen=True, slots=True)
class Hints:
    """The properties of a question that boosts use."""

    intent: Intent = Intent.UNKNOWN
    #: Folded content words of the question, without stop words.
    terms: frozenset[str] = frozenset()
    #: Keys of the campuses that the question names.
    campuses: frozenset[str] = frozenset()
    #: Scope named in the question: campuses, wards, medicines and ages.
    scope: Scope = ()
    #: Categories of pages that suit the intent.
    page_categories: frozenset[str] = frozenset()
    #: Kinds of entities that suit the intent.
    entity_kinds: frozenset[str] = frozenset()
    #: Pages cited in the previous answer; only for a follow-up.
    cited_urls: frozenset[str] = frozenset()
    #: Language of the answer.
    language: str = ""
    wants_recent: bool = False
    today: date = date.min


Signal: TypeAlias = Callable[[Passage, Hints, RetrievalTuning], float]


TIME_SENSITIVE = frozenset({"News"})
#: Days for which news is recent.
RECENT = 7
#: Boost for a page in the visitor's language.
LANGUAGE_BOOST = 1.10
#: Boost for a passage of the scope asked about, and factor for one of other scopes only.
SCOPE_BOOST, OTHER_SCOPE = 1.10, 0.90
#: Share of the first tier's boost for the second tier.
SECOND_TIER = 1 / 3


def category(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost categories of pages that suit the intent."""
    return tuning.category_boost if passage.source.category in hints.page_categories else 1.0


def recency(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost recent news if news is asked for."""
    updated = passage.source.updated_on
    if not (hints.wants_recent and updated and passage.source.category in TIME_SENSITIVE):
        return 1.0
    return tuning.recency_boost if (hints.today - updated).days < RECENT else 1.0


def entity_kind(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost passages that name the kind of entity asked for."""
    named = not hints.entity_kinds.isdisjoint(passage.entity_kinds)
    return tuning.entity_kind_boost if named else 1.0


def campus(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost pages of the campus asked for."""
    named = not hints.campuses.isdisjoint(passage.source.campuses)
    return tuning.campus_boost if named else 1.0


def scope(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost passages for the people and places asked about; dampen those only for others."""
    if not hints.scope:
        return 1.0
    asked = frozenset(hints.scope)
    if any(not asked.isdisjoint(place.scope) for place in passage.places):
        return SCOPE_BOOST
    kinds = {kind for kind, _ in asked}
    is_of_others = passage.places and all(
        any(kind in kinds for kind, _ in place.scope) for place in passage.places
    )
    return OTHER_SCOPE if is_of_others else 1.0


def language(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost pages in the visitor's language."""
    return LANGUAGE_BOOST if passage.source.language == hints.language else 1.0


def authority(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Dampen pages of less authority; boost none."""
    return min(1.0, passage.source.authority)


def url_tier(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost the hospital's main pages a little."""
    lift = tuning.tier_1_boost - 1.0
    return 1.0 + lift * {1: 1.0, 2: SECOND_TIER}.get(passage.source.url_tier, 0.0)


#: Name and factor of the cap on an outdated page: its weight relative to its successor's.
SUCCEEDED, BEHIND = "succeeded", 0.99


def current_first(passages: Sequence[Passage], replaced: Mapping[int, int]) -> tuple[Passage, ...]:
    """Rank the passages of outdated pages behind the best passage of their successors; `replaced`
    maps document ids."""
    best: dict[int, float] = defaultdict(lambda: -1.0)
    for passage in passages:
        best[passage.source.document_id] = max(best[passage.source.document_id], passage.weight)
    factors = {
        older: BEHIND * best[newer] / best[older]
        for older, newer in replaced.items()
        if best[older] >= best[newer] > 0
    }
    return by_weight(
        passage.changed(boosts=(*passage.boosts, Boost(SUCCEEDED, factors[page])))
        if (page := passage.source.document_id) in factors
        else passage
        for passage in passages
    )


#: Boost by a word's number of letters; shorter words get none.
STEPS = ((8, 0.20), (6, 0.10), (4, 0.05))


def section_header(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost passages under a heading with a word of the question."""
    named = not hints.terms.isdisjoint(word_set(passage.section))
    return tuning.section_boost if named else 1.0


def conversation(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost pages that the previous answer cited, for follow-up questions."""
    return tuning.conversation_boost if passage.source.url in hints.cited_urls else 1.0


def content_keywords(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Boost passages with words of the question, long words more."""
    gain = sum(
        next((step for letters, step in STEPS if len(word) >= letters), 0.0)
        for word in hints.terms & word_set(passage.text)
    )
    return 1.0 + min(gain, tuning.keyword_cap)


#: All boosts, in the order of the reference's table; recorded by function name.
SIGNALS: tuple[Signal, ...] = (
    category,
    recency,
    section_header,
    entity_kind,
    campus,
    scope,
    conversation,
    language,
    content_keywords,
    authority,
    url_tier,
)
NAMED = tuple((signal.__name__, signal) for signal in SIGNALS)


def boost(
    passages: Iterable[Passage], hints: Hints, tuning: RetrievalTuning
) -> tuple[Passage, ...]:
    """Return passages with their boosts, best first; factors of 1 are not recorded."""

    def boosts_of(passage: Passage) -> tuple[Boost, ...]:
        factors = ((name, signal(passage, hints, tuning)) for name, signal in NAMED)
        return tuple(Boost(*each) for each in factors if each[1] != 1.0)

    return by_weight(passage.changed(boosts=boosts_of(passage)) for passage in passages)


class Reranker(Protocol):
    """Scores texts against a question. Implementations raise only `zol.errors.RerankFailed`."""

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float | None]:
        """Return the relevance of each text; None if the server gave none."""


def read_as(passage: Passage) -> str:
    """Return a passage as the reranker reads it: title, then lines with their headings."""
    return "\n".join((passage.source.title, *with_context(passage.lines)))


def reordered(
    passages: Sequence[Passage], relevance: Sequence[float | None]
) -> tuple[Passage, ...]:
    """Return passages by relevance; those without a score follow in their old order. Their base
    scores are redistributed in the new order, so that boosts still apply to bounded scores."""
    judged = list(zip(passages, relevance, strict=True))
    known = sorted(
        (pair for pair in judged if pair[1] is not None), key=lambda pair: -(pair[1] or 0.0)
    )
    ordered = [*known, *(pair for pair in judged if pair[1] is None)]
    bases = sorted((p.base for p in passages if p.base is not None), reverse=True)
    shared = (*bases, *[None] * (len(passages) - len(bases)))
    return tuple(
        passage.changed(base=base, relevance=score)
        for (passage, score), base in zip(ordered, shared, strict=True)
    )
