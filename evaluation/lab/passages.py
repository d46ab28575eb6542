"""Fitting how loudly each factor speaks for a passage that was read (retrieval/weighing.py).

Golden questions with labelled passages are ranked as usual. From the factors that were recorded
follows what other voices would have done: the place of a passage is a sum of logarithms. Only who
agrees with whom was told under the voices in force, and stays as it was. Fitted are the voices
under which labelled passages are likeliest to come first, held to what the tables of boosts say:
the fewer the questions, the more. A handful of them proves nothing, and the command says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from evaluation.cases import Case
from evaluation.interview import Interview, labelled_chunks
from evaluation.metrics.base import Outcome
from evaluation.metrics.ranking import ndcg_at, recall_at
from retrieval.passage import Passage
from retrieval.tuning import RetrievalTuning
from retrieval.weighing import FACTS, FEWEST, STATEMENT, USUAL, VOICES
from zol.errors import BadInput

Column: TypeAlias = NDArray[np.float64]
Grid: TypeAlias = NDArray[np.float64]

#: What is fitted, each with what it counts where labels say nothing.
PRIOR: Mapping[str, float] = {
    "skim_voice": 0.5,
    "likeness_voice": 0.0,
    "opening_boost": 0.0,
    "length_voice": 0.0,
    **dict.fromkeys(VOICES.values(), 1.0),
    **dict.fromkeys(FACTS.values(), 0.0),
}
#: The same as settings.
TABLED = {**PRIOR, "opening_boost": 1.0}
#: Voices that stay as they are: who judges whether a passage answers reads past its language.
KEPT = frozenset({"language_voice"})
#: How much they are held to that, by standardised factors. Of 100, 20, 10 and 5, what is fitted on
#: one judged hospital ranks the other the better the looser; the held-out half, not so.
RIDGE = 10.0
DEPTH = 10
TINY = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A golden question with the passages that were found for it, and what they are labelled."""

    case: Case
    chunks: tuple[int, ...]
    labelled: Mapping[int, frozenset[int]]

    @property
    def rights(self) -> Column:
        """Return the share of each passage in what is labelled."""
        holds = np.array([float(chunk in self.labelled) for chunk in self.chunks])
        return holds / max(1.0, float(holds.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class Ranked(Labelled):
    """A golden question with the logarithms of what speaks for each of its passages."""

    #: A row for each passage: all that is not fitted, then a column for each of `PRIOR`.
    speaks: Grid


def read(
    cases: Sequence[Case], interview: Interview, tuning: RetrievalTuning
) -> Iterator[Ranked | None]:
    """Rank the passages of each question; None where it is refused or taken apart."""
    if tuning.skim_voice == 0:
        raise BadInput("skim_voice is 0, so that nothing of the statements was recorded.")
    for case in cases:
        context = interview.ranked(case, interview.before(case))
        known = [each for each in context.passages if each.reading]
        if context.parts or not known:
            yield None
            continue
        yield Ranked(
            case,
            tuple(each.chunk_id for each in known),
            labelled_chunks(case.passages),
            np.array([row(each, tuning) for each in known]),
        )


def row(passage: Passage, tuning: RetrievalTuning) -> list[float]:
    """Return the logarithms of what speaks for a passage, with voices of 1.

    Which facts a passage has is not known where their voice in force is 0: it is not fitted.
    """
    boosts = {said.name: log(said.factor) for said in passage.boosts}
    spoken = [boosts.get(name, 0.0) for name in VOICES]
    read = {said.name: log(said.factor) for said in passage.reading}
    statement = next(said.factor for said in passage.reading if said.name == STATEMENT)
    return [
        log(max(passage.found, TINY)) - sum(spoken),
        log(max(statement, TINY)) / tuning.skim_voice,
        passage.similarity,
        float(passage.ordinal == 0),
        log(max(len(passage.text), FEWEST) / USUAL),
        *spoken,
        *(
            read[name] / getattr(tuning, voice) if read.get(name) else 0.0
            for name, voice in FACTS.items()
        ),
    ]


def fit(questions: Sequence[Ranked], voices: Mapping[str, float] = TABLED) -> dict[str, float]:
    """Return the voices, by the names of their settings, that put what is labelled first; those
    in `KEPT` as `voices` has them."""
    stay = {name: voices[name] for name in KEPT}
    known = [(without(each.speaks, stay), each.rights) for each in questions if each.rights.any()]
    if not known:
        raise BadInput("No labelled passage was found: nothing to fit on.")
    spread = np.concatenate([speaks for speaks, _ in known]).std(0) + TINY
    held = np.array([1.0, *PRIOR.values()]) * spread

    def loss(spoken: Column) -> tuple[float, Column]:
        away = spoken - held
        lost, slope = RIDGE * float(away @ away), 2 * RIDGE * away
        for speaks, rights in known:
            places = speaks / spread @ spoken
            share = np.exp(places - places.max())
            share /= share.sum()
            lost -= float(rights @ np.log(share + 1e-300))
            slope += (share - rights) @ (speaks / spread)
        return lost, slope

    bounds = [(0.0, None)] * len(held)
    found = minimize(loss, held, jac=True, method="L-BFGS-B", bounds=bounds).x / spread
    # Only what voices are beside each other orders passages: what is not fitted counts 1.
    fitted = dict(zip(PRIOR, (found[1:] / max(float(found[0]), TINY)).tolist(), strict=True))
    return fitted | {"opening_boost": float(np.exp(fitted["opening_boost"]))} | stay


def without(speaks: Grid, stay: Mapping[str, float]) -> Grid:
    """Return what speaks for passages, with some voices as they are in all that is not fitted."""
    left = speaks.copy()
    for place, name in enumerate(PRIOR, start=1):
        if name in stay:
            left[:, 0] += stay[name] * left[:, place]
            left[:, place] = 0.0
    return left


def present(tuning: RetrievalTuning) -> dict[str, float]:
    """Return the voices that are in force."""
    return {name: float(getattr(tuning, name)) for name in PRIOR}


def figures(questions: Sequence[Ranked], voices: Mapping[str, float]) -> tuple[float, float]:
    """Return nDCG@10 and recall@10 of the labelled passages under some voices."""
    gains = [_judged(each, voices) for each in questions]
    means = np.array(gains).mean(0) if gains else (0.0, 0.0)
    return float(means[0]), float(means[1])


def _judged(each: Ranked, voices: Mapping[str, float]) -> tuple[float, float]:
    spoken = {**voices, "opening_boost": log(voices["opening_boost"])}
    places = each.speaks @ np.array([1.0, *(spoken[name] for name in PRIOR)])
    order = np.argsort(-places, kind="stable")
    outcome = Outcome(ranking=tuple(each.chunks[place] for place in order), labelled=each.labelled)
    gain, share = ndcg_at(DEPTH)(each.case, outcome), recall_at(DEPTH)(each.case, outcome)
    return (gain.value if gain else 0.0), (share.value if share else 0.0)
