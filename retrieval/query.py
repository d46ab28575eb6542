"""What is asked of the index, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from retrieval.passage import Passage
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
    #: Whether `asked` says it all; a question that goes on from an earlier one does not.
    stands_alone: bool = True
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
class Spoken:
    """A question as it was asked, and in the pages' language for who does not hear the asker's."""

    asked: str
    asked_in: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Passages of both lanes, fused, best first."""

    passages: tuple[Passage, ...] = ()
    #: Cosine of the best dense hit, measured before the floor (spec D6).
    best_similarity: float = 0.0
    #: Dense hits at or above the floor.
    dense_hits: int = 0
