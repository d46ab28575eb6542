"""Boosts: signals that lift or lower a passage, and the affinity of its subject to what is asked.

Similarity cannot tell "park my wheelchair" from "be reimbursed for my wheelchair": both say
"rolstoel". What the visitor wants can. The affinity is a factor on each passage's weight, set and
never multiplied, so that applying it twice equals applying it once (spec D19).

Some signals read what is known about a passage's page, some its words and the conversation. Each is
a factor recorded under its name. To add one, write the function and list it in `SIGNALS`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from retrieval.intents import Intent
from retrieval.passage import GENERAL, Boost, Passage, by_weight
from retrieval.tuning import NEUTRAL, RetrievalTuning, Steering
from zol.text import word_set


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


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known about the question."""

    intent: Intent = Intent.UNKNOWN
    #: Folded content words of the question, without stop words.
    terms: frozenset[str] = frozenset()
    #: Keys of the campuses that the question names.
    campuses: frozenset[str] = frozenset()
    #: Categories of pages that suit the intent.
    page_categories: frozenset[str] = frozenset()
    #: Kinds of entities that suit the intent.
    entity_kinds: frozenset[str] = frozenset()
    #: Chunks that have what is asked for: an hour, an amount, a telephone number.
    giving: frozenset[int] = frozenset()
    #: Pages cited in the previous answer; only for a follow-up.
    cited_urls: frozenset[str] = frozenset()
    #: The language that is answered in.
    language: str = ""
    wants_recent: bool = False
    today: date = date.min


Signal: TypeAlias = Callable[[Passage, Hints, RetrievalTuning], float]


#: Pages that are the authority for somebody who looks for a person, a place or a number.
DIRECTORY = frozenset({"Department", "Doctor", "Contact", "Location", "Appointment"})
#: And for somebody who asks about a visit or stay.
PRACTICAL = frozenset({"Practical"})
#: Pages that tell, and only mention.
NARRATIVE = frozenset({"Brochure", "News", "Miscellaneous"})
TIME_SENSITIVE = frozenset({"News"})


def category(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """The kind of page suits the intent; directories win when somebody finds their way."""
    factor = tuning.category_boost if passage.source.category in hints.page_categories else 1.0
    if not hints.intent.is_navigational:
        return factor
    if passage.source.category in directory_for(hints.intent):
        return factor * tuning.navigational_up
    if passage.source.category in NARRATIVE:
        return factor * tuning.navigational_down
    return factor


def directory_for(intent: Intent) -> frozenset[str]:
    """Return the categories of pages that are the authority for an intent."""
    asks_practical = intent is Intent.NAVIGATION_OR_PRACTICAL_INFO
    return DIRECTORY | PRACTICAL if asks_practical else DIRECTORY


def recency(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Fresh news, for who asks for news."""
    updated = passage.source.updated_on
    if not (hints.wants_recent and updated and passage.source.category in TIME_SENSITIVE):
        return 1.0
    return tuning.recency_boost if (hints.today - updated).days < tuning.recency_days else 1.0


def entity_kind(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """The passage names the kind of thing that the intent is about."""
    named = not hints.entity_kinds.isdisjoint(passage.entity_kinds)
    return tuning.entity_kind_boost if named else 1.0


def campus(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """The page is about the campus asked about."""
    named = not hints.campuses.isdisjoint(passage.source.campuses)
    return tuning.campus_boost if named else 1.0


def language(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """The visitor can read the page that is cited."""
    return tuning.language_boost if passage.source.language == hints.language else 1.0


def authority(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """A page of less authority is dampened; none is lifted."""
    return min(1.0, passage.source.authority)


def url_tier(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """The hospital's main pages come a little sooner."""
    return {1: tuning.tier_1_boost, 2: tuning.tier_2_boost}.get(passage.source.url_tier, 1.0)


#: Shorter words discriminate too little to count.
SHORTEST = 4
MEDIUM, LONG = 6, 8


def section_header(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """The heading above the passage has a word of the question."""
    named = not hints.terms.isdisjoint(word_set(passage.section))
    return tuning.section_boost if named else 1.0


def answer_form(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """The passage has an hour, an amount or a telephone number, and that is what is asked for."""
    return tuning.answer_form_boost if passage.chunk_id in hints.giving else 1.0


def conversation(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """A follow-up is mostly about what the previous answer cited."""
    return tuning.conversation_boost if passage.source.url in hints.cited_urls else 1.0


def content_keywords(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> float:
    """Words of the question stand in the passage; a long word says more than a short one."""
    present = hints.terms & word_set(passage.text)
    gain = sum(_step(word, tuning) for word in present)
    return 1.0 + min(gain, tuning.keyword_cap)


def _step(word: str, tuning: RetrievalTuning) -> float:
    if len(word) < SHORTEST:
        return 0.0
    if len(word) < MEDIUM:
        return tuning.keyword_step_short
    return tuning.keyword_step_medium if len(word) < LONG else tuning.keyword_step_long


#: In the order of the references' table; each is told by its function's name.
SIGNALS: tuple[Signal, ...] = (
    category,
    recency,
    section_header,
    entity_kind,
    campus,
    conversation,
    language,
    answer_form,
    content_keywords,
    authority,
    url_tier,
)
NAMED = tuple((signal.__name__, signal) for signal in SIGNALS)


def boost(
    passages: Iterable[Passage], hints: Hints, tuning: RetrievalTuning
) -> tuple[Passage, ...]:
    """Return the passages with their boosts, best first. What does not apply is not recorded."""
    return by_weight(
        passage.changed(boosts=boosts_of(passage, hints, tuning)) for passage in passages
    )


def boosts_of(passage: Passage, hints: Hints, tuning: RetrievalTuning) -> tuple[Boost, ...]:
    return tuple(
        Boost(name, factor)
        for name, signal in NAMED
        if (factor := signal(passage, hints, tuning)) != 1.0
    )
