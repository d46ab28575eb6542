"""Signals that lift or lower a passage: nine of the references, the visitor's language, and the
form of answer that is asked for.

Each is a factor recorded under its name.
"""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.boosts.base import Hints, Signal
from retrieval.boosts.metadata import (
    authority,
    campus,
    category,
    entity_kind,
    language,
    recency,
    url_tier,
)
from retrieval.boosts.words import (
    answer_form,
    content_keywords,
    conversation,
    section_header,
)
from retrieval.passage import Boost, Passage, by_weight
from retrieval.tuning import RetrievalTuning

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
