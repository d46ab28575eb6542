"""Signals that read the words of a passage, and of the conversation."""

from __future__ import annotations

from retrieval.boosts.base import Hints
from retrieval.passage import Passage
from retrieval.tuning import RetrievalTuning
from zol.text import word_set

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
