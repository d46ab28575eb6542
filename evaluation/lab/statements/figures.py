"""How well weights choose, on the questions they were fitted on and, what counts, on others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.stats import rankdata

from chat.engines.embedded.traits import TRAITS
from chat.engines.embedded.weights import Weights
from evaluation.lab.statements.candidates import RIGHT, Asked
from evaluation.lab.statements.fitting import bests, fit

#: Parts of the questions, each of which is left out once.
PARTS, SEED = 5, 1
AMONG = 3

#: The questions of each hospital, by its slug.
Questions: TypeAlias = Mapping[str, Sequence[Asked]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What weights did with one question."""

    #: Whether the best statement answers, one of the best does, the best is of a right page.
    first: bool | None = None
    among: bool | None = None
    page: bool | None = None
    #: How sure it was of the best statements, and whether they were right.
    sure: tuple[tuple[float, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """What weights did with many; None where no question tells."""

    questions: int
    first: float | None
    among: float | None
    page: float | None
    #: How often a right best statement is surer than a wrong one (area under the ROC curve).
    auc: float | None


def judge(asked: Asked, weights: Weights) -> Judged:
    """Return what weights do with a question."""
    found = list(bests(asked, weights))
    traits = np.array([best.traits for best in found]).reshape(len(found), len(TRAITS))
    sureties = weights.surety_of(traits, np.array([best.share for best in found]))
    rights = [best.is_right for best in found]
    sure = tuple(zip(sureties.tolist(), rights, strict=True))
    if not asked.is_labelled:
        return Judged(sure=sure)
    ranked = np.argsort(-weights.scores(asked.traits), kind="stable")
    is_right = asked.answers[ranked] > RIGHT
    page = bool(asked.on_right_page[ranked[0]]) if asked.on_right_page.any() else None
    return Judged(bool(is_right[0]), bool(is_right[:AMONG].any()), page, sure)


def figures(judged: Sequence[Judged]) -> Figures:
    """Return the means of what was judged."""
    labelled = [each for each in judged if each.first is not None]
    return Figures(
        len(labelled),
        _mean(each.first for each in labelled),
        _mean(each.among for each in labelled),
        _mean(each.page for each in labelled),
        auc([pair for each in judged for pair in each.sure]),
    )


def _mean(values: Iterable[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def auc(sure: Sequence[tuple[float, bool]]) -> float | None:
    """Return how often one that is right is surer than one that is not."""
    right = np.array([is_right for _, is_right in sure], dtype=bool)
    if not right.any() or right.all():
        return None
    ranks = rankdata([surety for surety, _ in sure])
    rights = right.sum()
    over = ranks[right].sum() - rights * (rights + 1) / 2
    return float(over / (rights * (len(right) - rights)))


def known(questions: Questions, weights: Weights) -> dict[str, Figures]:
    """Return what weights do on the questions of each hospital."""
    return {slug: figures([judge(e, weights) for e in all_]) for slug, all_ in questions.items()}


def cross_validated(questions: Questions, sure_by: Sequence[str]) -> dict[str, Figures]:
    """Return what weights do on parts of the questions that they were not fitted on."""
    spread = np.random.default_rng(SEED)
    orders = {slug: spread.permutation(len(all_)) for slug, all_ in questions.items()}
    judged: dict[str, list[Judged]] = {slug: [] for slug in questions}
    for part in range(PARTS):
        out = {slug: set(order[part::PARTS].tolist()) for slug, order in orders.items()}
        rest = [
            each
            for slug, all_ in questions.items()
            for place, each in enumerate(all_)
            if place not in out[slug]
        ]
        if not can_be_fitted(rest):
            continue
        weights = fit(rest, sure_by)
        for slug, places in out.items():
            judged[slug] += [judge(questions[slug][place], weights) for place in sorted(places)]
    return {slug: figures(each) for slug, each in judged.items()}


def across(questions: Questions, sure_by: Sequence[str]) -> dict[str, Figures]:
    """Return what weights do on a hospital when they were fitted on the others."""
    found = {}
    for slug, own in questions.items():
        others = [each for other, all_ in questions.items() if other != slug for each in all_]
        if can_be_fitted(others):
            weights = fit(others, sure_by)
            found[slug] = figures([judge(each, weights) for each in own])
    return found


def can_be_fitted(asked: Sequence[Asked]) -> bool:
    """Whether anything can be learned: a statement that answers is known, and whether one does."""
    return any(e.is_labelled for e in asked) and any(e.is_answered is not None for e in asked)
