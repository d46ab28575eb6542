"""Passage: evidence, and why it ranks where it does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import Any, NamedTuple

#: The category of a passage whose words give no strong signal.
GENERAL = "general"


class Boost(NamedTuple):
    """A factor on a passage's score, and its name."""

    name: str
    factor: float


@dataclass(frozen=True, slots=True)
class Source:
    """The page or brochure that a passage stands in."""

    document_id: int
    title: str
    url: str
    path: str = ""
    #: One of the document categories of the hospital pack, such as "Practical".
    category: str = ""
    language: str = "nl"
    updated_on: date | None = None
    #: 0.3 to 1.0; below 1.0 it dampens.
    authority: float = 1.0
    url_tier: int = 3
    campuses: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class Passage:
    """A chunk found for a question.

    `similarity` and `base` are measured once; `weight` and `score` follow from them and are never
    stored. So a stage that runs twice changes nothing, and the admin can show every factor that
    put a passage where it is.
    """

    chunk_id: int
    text: str
    source: Source
    #: Cosine between question and chunk, in [-1, 1]; true for hits of every lane.
    similarity: float = 0.0
    #: Base score in (0, 1], monotone in the fused rank; None for what carries no score.
    base: float | None = None
    boosts: tuple[Boost, ...] = ()
    affinity: float = 1.0
    #: What it counts once it is read (weighing.py), against the one that is read best.
    answering: float = 1.0
    #: The factors of that, before they are compared with the best.
    reading: tuple[Boost, ...] = ()
    #: What a reranker said, in numbers of its own; None where none was asked.
    relevance: float | None = None
    #: The steering row whose affinity this is; empty before steering.
    steered_by: str = ""
    #: Content category: practical, clinical_info, …; general when there is no strong signal.
    category: str = GENERAL
    section: str = ""
    #: What its base was lowered by, on a page of a kind that does not suit the question.
    suited: float = 1.0
    #: Which later search found it, when the first did not: for staff.
    entered_by: str = ""
    #: Page number in a PDF; 0 for a web page.
    page: int = 0
    #: Place in its document, from 0.
    ordinal: int = 0
    entity_kinds: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    #: Rank in each lane, from 1; 0 means that the lane did not find it.
    dense_rank: int = 0
    keyword_rank: int = 0
    fused: float = 0.0

    def changed(self, **fields: Any) -> Passage:
        """Return the passage with some fields changed.

        Fifty passages are changed by each of several stages, and `dataclasses.replace`, which asks
        for every field by its name, takes eight times as long.

        :raises TypeError: when a passage has no such field.
        """
        if not fields.keys() <= vars(self).keys():
            raise TypeError(f"A passage has no {sorted(fields.keys() - vars(self).keys())}")
        other = object.__new__(Passage)
        vars(other).update(vars(self) | fields)
        return other

    @property
    def found(self) -> float:
        """How well it was found, before anybody reads it."""
        if self.base is None:
            return -1.0
        factors = 1.0
        for _, factor in self.boosts:
            factors *= factor
        return self.base * factors * self.affinity

    @property
    def weight(self) -> float:
        """What the order is taken from: never clamped, so that the top is never tied."""
        return self.found if self.base is None else self.found * self.answering

    @property
    def score(self) -> float:
        """What is shown, in [0, 1]."""
        return max(0.0, min(1.0, self.weight))


def by_weight(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return passages best first; equals keep their order, the scoreless stay last in theirs."""
    return tuple(sorted(passages, key=attrgetter("weight"), reverse=True))
