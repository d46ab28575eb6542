"""Intervals and tests agree with scipy's, to the precision of resampling."""

import numpy as np
import pytest
from scipy import stats

from evaluation.figures import bootstrap, mcnemar

ANSWERS = [1.0] * 290 + [0.0] * 30
RECALLS = [0.0, 0.5, 0.5, 0.67, 1.0, 1.0, 1.0, 0.33, 0.75, 1.0] * 12


@pytest.mark.parametrize("values", [ANSWERS, RECALLS, [1.0, 0.0, 1.0, 1.0, 0.0]])
def test_agrees_with_scipys_bootstrap(values):
    theirs = stats.bootstrap(
        (np.array(values),), np.mean, n_resamples=10_000, method="percentile", rng=7
    ).confidence_interval

    ours = bootstrap(values)

    assert ours.mean == pytest.approx(np.mean(values))
    assert ours.low == pytest.approx(theirs.low, abs=0.01)
    assert ours.high == pytest.approx(theirs.high, abs=0.01)


def test_the_same_values_give_the_same_interval():
    assert bootstrap(RECALLS) == bootstrap(RECALLS)
    assert bootstrap([1.0] * 40).low == bootstrap([1.0] * 40).high == 1.0
    assert bootstrap([]) is None


@pytest.mark.parametrize(("won", "lost"), [(0, 0), (1, 0), (5, 1), (9, 9), (40, 21), (0, 12)])
def test_mcnemar_is_scipys_exact_binomial_test(won, lost):
    first = [True] * won + [False] * lost + [True] * 100 + [False] * 7
    second = [False] * won + [True] * lost + [True] * 100 + [False] * 7

    found = mcnemar(first, second)

    expected = stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
    assert (found.only_first, found.only_second) == (won, lost)
    assert found.p == pytest.approx(expected)


def test_two_runs_over_different_questions_cannot_be_compared():
    with pytest.raises(ValueError, match="shorter"):
        mcnemar([True, False], [True])
