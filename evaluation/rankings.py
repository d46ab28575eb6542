"""What each stage does to the order of passages, before anything is written.

Golden questions with labelled passages are ranked once for every set of stages. From the same
rankings follows what steering does about contaminations: questions whose words also stand on
pages about a subject that does not suit what is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chat.turn import Context
from evaluation.cases import Case
from evaluation.intervals import bootstrap, mean
from evaluation.interview import Interview, outcome_of_ranking
from evaluation.metrics.ranking import ndcg_at, recall_at
from retrieval.affinity import mismatch
from retrieval.steering import Steering

DEPTH = 10
#: Passages among which one on a subject that does not suit makes a contamination.
LOOKED_AT = 5
ALL, UNSTEERED = "all stages", "without affinity"
_BARE = {"boosts": False, "value_framework": False, "rescue": False, "skim": False}
VARIANTS: Mapping[str, Mapping[str, bool]] = {
    ALL: {},
    "without boosts": {"boosts": False},
    UNSTEERED: {"value_framework": False},
    "without rescue": {"rescue": False},
    "without the taxonomy": {"taxonomy": False, "roster": False},
    "without reading": {"skim": False},
    "search alone": _BARE,
    "search alone, keyword lane": {**_BARE, "dense": False},
    "search alone, dense lane": {**_BARE, "keyword": False},
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """How one set of stages ranked the passages for one question."""

    key: str
    ndcg: float
    recall: float
    #: Place of the first labelled passage, from 1; 0 when it was not found.
    place: int
    #: The subject of the best passage, and the share of the best that do not suit the question.
    subject: str
    off: float
    #: Chunks of the best ten that nobody judged for this question; 0 where labels are all there is.
    unjudged: int = 0
    ranking: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Contamination:
    """A question whose best passages partly suit it ill, ranked without and with steering."""

    key: str
    wanted: str
    before: Ranked
    after: Ranked


Rankings = Mapping[str, tuple[Ranked, ...]]


def rank(
    cases: Sequence[Case],
    interview: Interview,
    steering: Steering,
    names: Iterable[str],
    known: Mapping[str, frozenset[int]] | None = None,
) -> Iterator[dict[str, Ranked]]:
    """Yield for each question how every named variant ranked it; `known` are the chunks that were
    judged for each question, by its key."""
    for case in cases:
        history = interview.before(case)
        judged = None if known is None else known.get(case.key, frozenset())
        yield {
            name: _ranked(
                case, _with(interview, VARIANTS[name]).ranked(case, history), steering, judged
            )
            for name in names
        }


def _with(interview: Interview, flags: Mapping[str, bool]) -> Interview:
    return replace(interview, flags={**interview.flags, **flags})


def _ranked(
    case: Case, context: Context, steering: Steering, judged: frozenset[int] | None
) -> Ranked:
    outcome = outcome_of_ranking(case, context)
    places = (n for n, chunk in enumerate(outcome.ranking, 1) if chunk in outcome.labelled)
    gain, share = ndcg_at(DEPTH)(case, outcome), recall_at(DEPTH)(case, outcome)
    meant = context.understanding
    row = steering.row_for(meant.intent, meant.topic)
    return Ranked(
        key=case.key,
        ndcg=gain.value if gain else 0.0,
        recall=share.value if share else 0.0,
        place=next(places, 0),
        subject=context.passages[0].category if context.passages else "",
        off=mismatch(context.passages, row, steering, top=LOOKED_AT).rate,
        unjudged=0 if judged is None else len(set(outcome.ranking[:DEPTH]) - judged),
        ranking=outcome.ranking[:DEPTH],
    )


def contaminations(cases: Sequence[Case], rankings: Rankings) -> tuple[Contamination, ...]:
    """Return the questions that, unsteered, find subjects near the top that do not suit them."""
    wanted = {case.key: case.content_category for case in cases}
    return tuple(
        Contamination(before.key, wanted[before.key], before, after)
        for before, after in zip(rankings[UNSTEERED], rankings[ALL], strict=True)
        if before.off > 0
    )


def report_json(cases: Sequence[Case], rankings: Rankings) -> dict[str, Any]:
    """Return the object that `ranking --json` writes."""
    found = contaminations(cases, rankings)
    return {
        "questions": len(cases),
        "stages": {name: _means(ranked) for name, ranked in rankings.items()},
        "contaminations": {
            "questions": len(found),
            "before": _steered([each.wanted for each in found], [each.before for each in found]),
            "after": _steered([each.wanted for each in found], [each.after for each in found]),
            "each": [_told(each) for each in found],
        },
    }


def _means(ranked: Sequence[Ranked]) -> dict[str, Any]:
    gains = bootstrap([each.ndcg for each in ranked])
    return {
        "ndcg@10": round(mean([each.ndcg for each in ranked]), 4),
        "recall@10": round(mean([each.recall for each in ranked]), 4),
        "right first": round(mean([float(each.place == 1) for each in ranked]), 4),
        "unjudged": sum(each.unjudged for each in ranked),
        "interval": gains.ends if gains else [],
    }


def _steered(wanted: Sequence[str], ranked: Sequence[Ranked]) -> dict[str, float]:
    pairs = list(zip(wanted, ranked, strict=True))
    return {
        "right subject first": sum(each.subject == subject for subject, each in pairs),
        "labelled passage first": sum(each.place == 1 for each in ranked),
        "labelled passage in first 3": sum(0 < each.place <= 3 for each in ranked),
        "mismatch": round(mean([each.off for each in ranked]), 3),
        "ndcg@10": round(mean([each.ndcg for each in ranked]), 4),
    }


def _told(found: Contamination) -> dict[str, Any]:
    return {
        "id": found.key,
        "wanted": found.wanted,
        "subject": [found.before.subject, found.after.subject],
        "place": [found.before.place, found.after.place],
        "mismatch": [round(found.before.off, 2), round(found.after.off, 2)],
    }
