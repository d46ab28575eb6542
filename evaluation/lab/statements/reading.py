"""Fitting what the best statement of a passage speaks for it, from passages that were judged.

A passage counts by its best statement, among other things (retrieval/weighing.py). Fitted is what
each trait of a statement is worth for that: a softmax over the passages of a question, of which
those that answer should have all odds, held to what the same traits are worth for choosing
quotations. A passage answers where one statement of it does, so its others must not speak against
it: the best counts, smoothly while it is fitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from chat import live
from chat.engines.embedded.coverage import Grid
from chat.engines.embedded.cutting import Column
from chat.engines.embedded.outdated import outdated
from chat.engines.embedded.pool import seen_among
from chat.engines.embedded.traits import TRAITS, grid
from evaluation.cases import Case
from evaluation.interview import Interview, labelled_chunks
from evaluation.lab.passages import Labelled
from evaluation.metrics.base import Outcome
from evaluation.metrics.ranking import ndcg_at, recall_at
from retrieval.tuning import RetrievalTuning
from retrieval.weighing import FURTHEST, STATEMENT, WORDLESS
from zol.errors import BadInput

Worth: TypeAlias = Mapping[str, float]
#: Traits that stay as they are. Who judges whether a passage answers reads past its language, its
#: age and its campus; a patient does not.
HELD = frozenset({"same_language", "third_language", "age", "authority", "there", "elsewhere"})
#: How much the others are held to what they are worth for quotations, by standardised traits.
RIDGE = 20.0
#: How sharply the best statement stands out from the next while weights are fitted.
SHARPNESS = 4.0
#: Parts of the questions, each of which is left out once.
PARTS = 5
DEPTH = 10
TINY, LITTLE = 1e-300, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Read(Labelled):
    """A golden question with the statements of the passages that were found for it."""

    #: A row for each statement that may count, and the place of its passage in `chunks`.
    traits: Grid
    holder: NDArray[np.intp]
    #: The logarithm of all else that speaks for each passage.
    speaks: Column
    #: How loudly statements speak beside that.
    voice: float


def read(
    cases: Sequence[Case], interview: Interview, tuning: RetrievalTuning
) -> Iterator[Read | None]:
    """Rank the passages of each question; None where it is refused, taken apart or finds none."""
    tools = live.tools(flags=interview.flags)
    for case in cases:
        context = interview.ranked(case, interview.before(case))
        known = [each for each in context.passages if each.reading]
        seen = seen_among(context, tools, known) if known and not context.parts else None
        if seen is None:
            yield None
            continue
        counts = ~np.array(outdated(seen, seen.reading.wanted.today))
        places = {each.chunk_id: place for place, each in enumerate(known)}
        holder = np.array([places[each.passage.chunk_id] for each in seen.pool], dtype=np.intp)
        statement = [dict(each.reading)[STATEMENT] for each in known]
        speaks = np.log(np.maximum([each.weight for each in known], TINY)) - np.log(statement)
        yield Read(
            case, tuple(places), labelled_chunks(case.passages), grid(seen)[counts],
            holder[counts], speaks, tuning.skim_voice,
        )  # fmt: skip


def fit(questions: Sequence[Read], before: Worth) -> dict[str, float]:
    """Return what each trait is worth; `before` is what it is held to."""
    known = [(each, each.rights) for each in questions if each.rights.any() and len(each.holder)]
    if not known:
        raise BadInput("No passage that answers was found: nothing to fit on.")
    start = np.array([before.get(name, 0.0) for name in TRAITS])
    away = np.concatenate([each.traits - each.traits.mean(0) for each, _ in known])
    spread = away.std(0) + LITTLE
    free = np.array([name not in HELD for name in TRAITS])

    def loss(moved: Column) -> tuple[float, Column]:
        worth = start.copy()
        worth[free] += moved / spread[free]
        lost, slope = RIDGE * float(moved @ moved), 2 * RIDGE * moved
        for each, rights in known:
            places, by_trait = smoothly(each, worth)
            share = np.exp(places - places.max())
            share /= share.sum()
            lost -= float(rights @ np.log(share + TINY))
            slope = slope + ((share - rights) @ by_trait)[free] / spread[free]
        return lost, slope

    found = minimize(loss, np.zeros(free.sum()), jac=True, method="L-BFGS-B")
    if not found.success:
        raise BadInput(f"Nothing could be fitted: {found.message}")
    start[free] += found.x / spread[free]
    return dict(zip(TRAITS, start.tolist(), strict=True))


def smoothly(each: Read, worth: Column) -> tuple[Column, Grid]:
    """Return what speaks for each passage, and how that grows with what each trait is worth."""
    size, odds = len(each.chunks), each.voice * (each.traits @ worth)
    best = np.full(size, -np.inf)
    np.maximum.at(best, each.holder, odds)
    powers = np.exp(SHARPNESS * (odds - best[each.holder]))
    sums = np.bincount(each.holder, powers, minlength=size)
    has = sums > 0
    spoken = np.where(has, best + np.log(np.where(has, sums, 1.0)) / SHARPNESS, 0.0)
    by_trait = np.zeros((size, each.traits.shape[1]))
    shares = powers / sums[each.holder]
    np.add.at(by_trait, each.holder, shares[:, None] * each.traits * each.voice)
    # What says nothing counts less than the worst that says something, and moves with it.
    worst = int(np.argmin(np.where(has, spoken, np.inf)))
    spoken[~has], by_trait[~has] = spoken[worst] - each.voice * WORDLESS, by_trait[worst]
    return each.speaks + spoken, by_trait


def figures(questions: Sequence[Read], worth: Worth) -> tuple[float, float]:
    """Return nDCG@10 and recall@10 as passages would be ranked."""
    found = [measured(each, worth) for each in questions]
    means = np.array(found).mean(0) if found else (0.0, 0.0)
    return float(means[0]), float(means[1])


def measured(each: Read, worth: Worth) -> tuple[float, float]:
    odds = each.traits @ np.array([worth.get(name, 0.0) for name in TRAITS])
    best = np.full(len(each.chunks), -np.inf)
    np.maximum.at(best, each.holder, odds)
    has = np.isfinite(best)
    top, least = (best[has].max(), best[has].min()) if has.any() else (0.0, 0.0)
    behind = np.maximum(np.where(has, best, least - WORDLESS) - top, -FURTHEST)
    order = np.argsort(-(each.speaks + each.voice * behind), kind="stable")
    outcome = Outcome(ranking=tuple(each.chunks[place] for place in order), labelled=each.labelled)
    gain, share = ndcg_at(DEPTH)(each.case, outcome), recall_at(DEPTH)(each.case, outcome)
    return (gain.value if gain else 0.0), (share.value if share else 0.0)


def left_out(
    questions: Mapping[str, Sequence[Read]], before: Worth
) -> dict[str, tuple[float, float]]:
    """Return the figures of each hospital, each question ranked by weights fitted without it and
    without all others that share an answer with it, also by way of further ones; nothing where
    that leaves too few."""
    everything = [(slug, each) for slug, own in questions.items() for each in own]
    part = parts_of([{(slug, chunk) for chunk in each.labelled} for slug, each in everything])
    if len(set(part.tolist())) < PARTS:
        return {}
    found: dict[str, list[tuple[float, float]]] = {slug: [] for slug in questions}
    for number in range(PARTS):
        others = [each for (_, each), own in zip(everything, part, strict=True) if own != number]
        worth = fit(others, before)
        for (slug, each), own in zip(everything, part, strict=True):
            if own == number:
                found[slug].append(measured(each, worth))
    return {slug: tuple(np.mean(all_, 0).tolist()) for slug, all_ in found.items() if all_}  # type: ignore[misc]


def parts_of(answers: Sequence[Set[tuple[str, int]]]) -> NDArray[np.intp]:
    """Return the part of each question, of about the same size: those that share an answer are of
    the same."""
    places = {answer: n for n, answer in enumerate(dict.fromkeys(chain.from_iterable(answers)))}
    pairs = [(n, places[answer]) for n, own in enumerate(answers) for answer in own]
    rows, columns = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    shape = (len(answers), max(1, len(places)))
    holds = csr_array((np.ones(len(pairs)), (rows, columns)), shape=shape)
    count, group = connected_components(holds @ holds.T, directed=False)
    sizes, filled = np.bincount(group, minlength=count), np.zeros(PARTS, dtype=np.intp)
    part_of = np.zeros(count, dtype=np.intp)
    for number in np.argsort(-sizes, kind="stable"):
        part_of[number] = np.argmin(filled)
        filled[part_of[number]] += sizes[number]
    parts: NDArray[np.intp] = part_of[group]
    return parts
