"""What a metric reads, what it says, and whether a question passes by what all say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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


#: The least share of expected names (spec 08); a list of doctors must be whole.
LEAST_RECALL = 0.5
WHOLE = frozenset({"doctor_list"})
#: Checks that must hold entirely, where the question says anything about them.
DECISIVE = ("behaviour", "must_not", "source_hit", "sentence")
#: What makes an answer that passes a plain one.
PLAIN = ("complete", "early", "brief", "certain")


def needed_recall(category: str, least: float = LEAST_RECALL) -> float:
    return 1.0 if category in WHOLE else least


def failings(
    category: str, scores: Mapping[str, Score], *, least: float = LEAST_RECALL
) -> Iterator[str]:
    """Give the reasons why a question fails; none when it passes."""
    recall = scores.get("entity_recall")
    if recall and recall.value < needed_recall(category, least):
        yield f"entity_recall: {recall.reason}"
    for name in DECISIVE:
        score = scores.get(name)
        if score and not score.is_full:
            yield f"{name}: {score.reason}"


def is_plain(category: str, scores: Mapping[str, Score]) -> bool:
    """Whether an answer passes and is complete, early, brief and certain, as far as it applies."""
    known = [scores[name] for name in PLAIN if name in scores]
    return not any(failings(category, scores)) and all(score.is_full for score in known)
