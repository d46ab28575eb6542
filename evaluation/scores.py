"""Scores: the outcome that metrics read, retrieval metrics, and whether a question passes.

A labelled passage counts once, however many overlapping chunks contain it (α-nDCG of Clarke et al.
2008 with α = 1). With one chunk per label this is the nDCG of the literature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import TypeAlias

from chat.behaviours import Behaviour
from evaluation.golden import Case


@dataclass(frozen=True, slots=True)
class Score:
    """A value from 0 to 1, with the reason if it is below 1."""

    value: float
    reason: str = ""

    @property
    def is_full(self) -> bool:
        return self.value == 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a question, as metrics read it."""

    answer: str = ""
    behaviour: Behaviour = Behaviour.ANSWER
    #: The warning (none, emergency, crisis, poison), and its text.
    warning: str = "none"
    warned: str = ""
    #: The stored language of the answer.
    language: str = "nl"
    intent: str = ""
    #: Names of the hospital's entities in the answer, left out when its language is detected.
    names: tuple[str, ...] = ()
    #: The addresses of the cited pages.
    cited: tuple[str, ...] = ()
    #: The chunks found, best first.
    ranking: tuple[int, ...] = ()
    #: The labels of the case in each chunk that contains labelled passages.
    labelled: Mapping[int, frozenset[int]] = field(default_factory=dict)
    #: Certainty: fact, curated, sure, near or nothing; empty without an answer.
    certainty: str = "sure"
    #: Whether each fixed text that a category may demand is in the answer.
    texts: Mapping[str, bool] = field(default_factory=dict)
    #: Quoted lines, and rows of each table and list of the cited pages, all plain.
    quoted: tuple[str, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()
    #: Names of the question's entities, plain.
    asked_about: tuple[str, ...] = ()
    #: Country of the hospital, for telephone numbers.
    home: str = ""
    #: The failure, if there is no answer.
    failure: str = ""


#: None if the metric does not apply to the case.
Metric: TypeAlias = Callable[[Case, Outcome], Score | None]


def yes(is_right: bool, reason: str) -> Score:  # noqa: FBT001 (the only thing it is about)
    """Return a score of 1, or of 0 with the reason."""
    return Score(1.0) if is_right else Score(0.0, reason)


#: The least share of expected names (spec 08); lists of doctors must be complete.
LEAST_RECALL = 0.5
WHOLE = frozenset({"doctor_list"})
#: Checks that must score 1 where they apply.
DECISIVE = ("behaviour", "must_not", "source_hit", "sentence")
#: Checks that a passing answer needs to count as plain.
PLAIN = ("complete", "early", "brief", "certain")


def needed_recall(category: str, least: float = LEAST_RECALL) -> float:
    return 1.0 if category in WHOLE else least


def failings(
    category: str, scores: Mapping[str, Score], *, least: float = LEAST_RECALL
) -> Iterator[str]:
    """Yield the reasons why a question fails; none if it passes."""
    recall = scores.get("entity_recall")
    if recall and recall.value < needed_recall(category, least):
        yield f"entity_recall: {recall.reason}"
    for name in DECISIVE:
        score = scores.get(name)
        if score and not score.is_full:
            yield f"{name}: {score.reason}"


def is_plain(category: str, scores: Mapping[str, Score]) -> bool:
    """Return whether an answer passes and is complete, early, brief and certain where scored."""
    known = [scores[name] for name in PLAIN if name in scores]
    return not any(failings(category, scores)) and all(score.is_full for score in known)


Labelled = Mapping[int, frozenset[int]]


def ndcg_at(depth: int) -> Metric:
    """Return nDCG at a depth as a metric."""

    def ndcg(case: Case, outcome: Outcome) -> Score | None:
        if not case.passages:
            return None
        ideal = gain(_novel(_best_order(outcome.labelled), outcome.labelled)[:depth])
        if ideal == 0:
            return Score(0.0, "no chunk of the corpus holds a labelled passage")
        found = gain(_novel(outcome.ranking[:depth], outcome.labelled))
        return Score(found / ideal, "" if found == ideal else _places(outcome))

    return ndcg


def recall_at(depth: int) -> Metric:
    """Return recall at a depth, the share of labelled passages found, as a metric."""

    def recall(case: Case, outcome: Outcome) -> Score | None:
        if not case.passages:
            return None
        shown = outcome.ranking[:depth]
        seen = frozenset[int]().union(*(outcome.labelled.get(chunk, ()) for chunk in shown))
        missing = [label.quote for number, label in enumerate(case.passages) if number not in seen]
        value = len(seen) / len(case.passages)
        return Score(value, f"not found: “{'”, “'.join(missing)}”" if missing else "")

    return recall


def gain(grades: Iterable[int]) -> float:
    """Return the discounted cumulative gain of a ranking."""
    return sum(grade / log2(place + 1) for place, grade in enumerate(grades, start=1))


def _novel(chunks: Sequence[int], labelled: Labelled) -> list[int]:
    """Return for each chunk how many labels it adds to those before it."""
    seen: set[int] = set()
    gains = []
    for chunk in chunks:
        new = labelled.get(chunk, frozenset()) - seen
        seen |= new
        gains.append(len(new))
    return gains


def _best_order(labelled: Labelled) -> list[int]:
    """Return the labelled chunks greedily, the one that adds most labels first."""
    left, seen, order = dict(labelled), set[int](), list[int]()
    while left:
        best = max(left, key=lambda chunk: (len(left[chunk] - seen), -chunk))
        seen |= left.pop(best)
        order.append(best)
    return order


def _places(outcome: Outcome) -> str:
    places = [
        str(place) for place, chunk in enumerate(outcome.ranking, 1) if chunk in outcome.labelled
    ]
    return f"at {', '.join(places)}" if places else "not among the chunks found"
