"""What a metric reads, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from chat.behaviours import Behaviour
from evaluation.cases import Case


@dataclass(frozen=True, slots=True)
class Score:
    """A value from 0 to 1, and why it is not 1."""

    value: float
    reason: str = ""

    @property
    def is_full(self) -> bool:
        return self.value == 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came back for a question, as far as metrics look at it."""

    answer: str = ""
    behaviour: Behaviour = Behaviour.ANSWER
    #: The language that the product says it answered in.
    language: str = "nl"
    intent: str = ""
    #: Names of the hospital's things in the answer, which are in no asker's language.
    names: tuple[str, ...] = ()
    #: The addresses of the cited pages.
    cited: tuple[str, ...] = ()
    #: The chunks found, best first.
    ranking: tuple[int, ...] = ()
    #: For every chunk of the corpus that holds labelled passages: which of the case's labels.
    labelled: Mapping[int, frozenset[int]] = field(default_factory=dict)
    #: How sure the answer is of itself: fact, curated, sure, near or nothing; empty without one.
    certainty: str = "sure"
    #: Fixed texts that a category may demand, those that the hospital has: whether it is said.
    texts: Mapping[str, bool] = field(default_factory=dict)
    #: The lines that are quoted, and the rows of each table and list of the cited pages, all plain.
    quoted: tuple[str, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()
    #: Names of what the question is about, plain.
    asked_about: tuple[str, ...] = ()
    #: The failure, when there is no answer at all.
    failure: str = ""


#: None where a case says nothing about what the metric looks at.
Metric: TypeAlias = Callable[[Case, Outcome], Score | None]


def yes(is_right: bool, reason: str) -> Score:  # noqa: FBT001 (the only thing it is about)
    """Return 1, or 0 with the reason."""
    return Score(1.0) if is_right else Score(0.0, reason)
