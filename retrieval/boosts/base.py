"""What a signal may look at besides the passage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from retrieval.intents import Intent
from retrieval.passage import Passage
from retrieval.tuning import RetrievalTuning


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
