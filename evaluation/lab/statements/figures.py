"""What traits of a statement are worth, found from questions whose answers are known.

First a softmax over the statements of each question: that which answers should have all odds.
Then a logistic regression over the best statement of each question, as it is and with the pages
that answer taken away: is it right at all? Both are held back (ridge), by standardised traits.
How well weights choose is told on the questions they were fitted on and, what counts, on others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.optimize import minimize

from chat.answering.quotation.features import TRAITS
from chat.answering.quotation.segments import Column
from chat.answering.quotation.weights import Weights, shares
from chat.answering.word_matching import Grid
from evaluation.intervals import auc
from evaluation.lab.statements.candidates import RIGHT, LabelledQuestion

#: How much weights are held back: of which statement answers, and of whether it does.
RIDGE, RIDGE_OF_SURETY = 5.0, 1.0
#: Statements that must be left when the right pages are taken away.
LEAST_LEFT = 5
#: Keeps a spread from being nothing, and a logarithm from being endless.
TINY, LITTLE = 1e-9, 1e-12

Loss: TypeAlias = Callable[[Column], tuple[float, Column]]


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best statement of a question, by some weights."""

    traits: Column
    share: float
    is_right: bool


def fit(asked: Sequence[LabelledQuestion], sure_by: Sequence[str]) -> Weights:
    """Return the weights for these questions; `sure_by` names the traits that surety looks at."""
    worth = worths([each for each in asked if each.is_labelled])
    answers = dict(zip(TRAITS, worth.tolist(), strict=True))
    found = [best for each in asked for best in bests(each, Weights(answers, {}))]
    *surety, share, nothing = sureties(found, sure_by).tolist()
    return Weights(answers, dict(zip(sure_by, surety, strict=True)), share, nothing)


def bests(asked: LabelledQuestion, weights: Weights) -> Iterator[Best]:
    """Yield what would be answered, and what would be without the pages that answer."""
    if asked.is_answered is None:
        return
    place, share = _best(asked.traits, weights)
    is_right = asked.answers[place] > RIGHT or bool(asked.on_right_page[place])
    yield Best(asked.traits[place], share, bool(asked.is_answered and is_right))
    left = ~asked.on_right_page
    if asked.is_answered and left.sum() >= LEAST_LEFT:
        place, share = _best(asked.traits[left], weights)
        yield Best(asked.traits[left][place], share, is_right=False)


def _best(traits: Grid, weights: Weights) -> tuple[int, float]:
    share = shares(weights.scores(traits))
    place = int(np.argmax(share))
    return place, float(share[place])


def worths(asked: Sequence[LabelledQuestion]) -> Column:
    """Return what each trait is worth, in the order of `TRAITS`."""
    together = np.concatenate([each.traits for each in asked])
    middle, spread = together.mean(0), together.std(0) + TINY
    known = [((each.traits - middle) / spread, each.answers) for each in asked]

    def loss(worth: Column) -> tuple[float, Column]:
        lost, slope = RIDGE * float(worth @ worth) / 2, RIDGE * worth
        for traits, answers in known:
            share = shares(traits @ worth)
            right = share * answers
            odds = right.sum() + LITTLE
            lost -= float(np.log(odds))
            slope = slope - (right / odds - share) @ traits
        return lost, slope

    worth: Column = _least(loss, together.shape[1]) / spread
    return worth


def sureties(found: Sequence[Best], names: Sequence[str]) -> Column:
    """Return what each named trait says for being right, then the share of odds, then nothing."""
    places = [tuple(TRAITS).index(name) for name in names]
    known = np.array([[*best.traits[places], best.share] for best in found])
    is_right = np.array([best.is_right for best in found], dtype=float)
    middle, spread = known.mean(0), known.std(0) + TINY
    traits = np.c_[(known - middle) / spread, np.ones(len(known))]

    def loss(worth: Column) -> tuple[float, Column]:
        sure = 1 / (1 + np.exp(-traits @ worth))
        held = np.append(worth[:-1], 0.0)
        likely = is_right * np.log(sure + TINY) + (1 - is_right) * np.log(1 - sure + TINY)
        lost = RIDGE_OF_SURETY * float(held @ held) / 2 - float(likely.sum())
        return lost, traits.T @ (sure - is_right) + RIDGE_OF_SURETY * held

    *standard, constant = _least(loss, traits.shape[1])
    worth = np.array(standard) / spread
    return np.append(worth, constant - worth @ middle)


def _least(loss: Loss, size: int) -> Column:
    """Return where a loss is least."""
    found: Column = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B").x
    return found


#: Parts of the questions, each of which is left out once.
PARTS, SEED = 5, 1
AMONG = 3

#: The questions of each hospital, by its slug.
Questions: TypeAlias = Mapping[str, Sequence[LabelledQuestion]]


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """What weights did with one question."""

    #: Whether the best statement answers, one of the best does, the best is of a right page.
    first: bool | None = None
    among: bool | None = None
    page: bool | None = None
    #: How sure it was of the best statements, and whether they were right.
    sure: tuple[tuple[float, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class StatementFigures:
    """What weights did with many; None where no question tells."""

    questions: int
    first: float | None
    among: float | None
    page: float | None
    #: How often a right best statement is surer than a wrong one (area under the ROC curve).
    auc: float | None


def judge(asked: LabelledQuestion, weights: Weights) -> QuestionFigures:
    """Return what weights do with a question."""
    found = list(bests(asked, weights))
    traits = np.array([best.traits for best in found]).reshape(len(found), len(TRAITS))
    sureties = weights.surety_of(traits, np.array([best.share for best in found]))
    rights = [best.is_right for best in found]
    sure = tuple(zip(sureties.tolist(), rights, strict=True))
    if not asked.is_labelled:
        return QuestionFigures(sure=sure)
    ranked = np.argsort(-weights.scores(asked.traits), kind="stable")
    is_right = asked.answers[ranked] > RIGHT
    page = bool(asked.on_right_page[ranked[0]]) if asked.on_right_page.any() else None
    return QuestionFigures(bool(is_right[0]), bool(is_right[:AMONG].any()), page, sure)


def figures(judged: Sequence[QuestionFigures]) -> StatementFigures:
    """Return the means of what was judged."""
    labelled = [each for each in judged if each.first is not None]
    return StatementFigures(
        len(labelled),
        _mean(each.first for each in labelled),
        _mean(each.among for each in labelled),
        _mean(each.page for each in labelled),
        auc([pair for each in judged for pair in each.sure]),
    )


def _mean(values: Iterable[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def known(questions: Questions, weights: Weights) -> dict[str, StatementFigures]:
    """Return what weights do on the questions of each hospital."""
    return {slug: figures([judge(e, weights) for e in all_]) for slug, all_ in questions.items()}


def cross_validated(questions: Questions, sure_by: Sequence[str]) -> dict[str, StatementFigures]:
    """Return what weights do on parts of the questions that they were not fitted on."""
    spread = np.random.default_rng(SEED)
    orders = {slug: spread.permutation(len(all_)) for slug, all_ in questions.items()}
    judged: dict[str, list[QuestionFigures]] = {slug: [] for slug in questions}
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


def across(questions: Questions, sure_by: Sequence[str]) -> dict[str, StatementFigures]:
    """Return what weights do on a hospital when they were fitted on the others."""
    found = {}
    for slug, own in questions.items():
        others = [each for other, all_ in questions.items() if other != slug for each in all_]
        if can_be_fitted(others):
            weights = fit(others, sure_by)
            found[slug] = figures([judge(each, weights) for each in own])
    return found


def can_be_fitted(asked: Sequence[LabelledQuestion]) -> bool:
    """Whether anything can be learned: a statement that answers is known, and whether one does."""
    return any(e.is_labelled for e in asked) and any(e.is_answered is not None for e in asked)
