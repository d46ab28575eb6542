"""Signals that read what is known about a passage's page."""

from __future__ import annotations

from retrieval.boosts.base import Hints
from retrieval.intents import Intent
from retrieval.passage import Passage
from retrieval.tuning import RetrievalTuning

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
