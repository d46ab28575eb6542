"""What staff say about a question at once, without a release: withheld, or answered by hand.

Plain values: rows come in by `chat.selectors`, a stage asks whether one is about a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from chat.safety.slots import Pattern, pattern
from taxonomy.tokens import folded


class Sort(StrEnum):
    BLOCK = "block"
    FREEZE = "freeze"
    CURATED = "curated"


@dataclass(frozen=True, slots=True)
class Intervention:
    """One decision of staff about questions with certain words."""

    id: int
    sort: Sort
    #: The words of each line, in any order; one line is enough.
    lines: tuple[Pattern, ...]
    #: What is said instead, by language.
    texts: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    #: A curated answer is not given any more after this day.
    review_by: date | None = None

    def is_about(self, words: frozenset[str]) -> bool:
        return any(all(_is_said(wanted, words) for wanted in line) for line in self.lines)

    def is_due(self, today: date) -> bool:
        """Whether somebody has to look at it again before it may be given."""
        return self.review_by is not None and self.review_by < today

    def text(self, *languages: str) -> str:
        """Return what to say, in the first of these languages that has words."""
        return next((self.texts[code] for code in languages if self.texts.get(code)), "")


@dataclass(frozen=True, slots=True)
class Interventions:
    """All decisions that hold now; the latest comes first."""

    items: tuple[Intervention, ...] = ()

    def about(self, question: str, today: date) -> Intervention | None:
        """Return the decision about a question, if any."""
        words = frozenset(folded(question))
        return next(
            (item for item in self.items if item.is_about(words) and not item.is_due(today)), None
        )


def lines_of(text: str) -> tuple[Pattern, ...]:
    """Return the patterns of a text of several lines."""
    return tuple(words for line in text.splitlines() if (words := pattern(line)))


def _is_said(wanted: tuple[str, bool], words: Iterable[str]) -> bool:
    word, is_open = wanted
    return word in words or (is_open and any(said.startswith(word) for said in words))
