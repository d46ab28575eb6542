"""Intervals of figures, and the test of two runs over the same questions."""

import pytest

from evaluation.figures import bootstrap, mcnemar

RECALLS = [0.0, 0.5, 0.5, 0.67, 1.0, 1.0, 1.0, 0.33, 0.75, 1.0] * 12


def test_the_same_values_give_the_same_interval_around_their_mean():
    found = bootstrap(RECALLS)

    assert found == bootstrap(RECALLS)
    assert found.mean == pytest.approx(0.675)
    assert found.low < found.mean < found.high
    assert bootstrap([1.0]).low == bootstrap([1.0]).high == 1.0
    assert bootstrap([]) is None


def test_only_questions_that_one_run_passes_count():
    first, second = [True] * 5 + [False] + [True] * 9, [False] * 5 + [True] + [True] * 9

    found = mcnemar(first, second)

    assert (found.only_first, found.only_second) == (5, 1)
    assert found.p == pytest.approx(0.21875)
    assert mcnemar([True], [True]).p == 1.0
    with pytest.raises(ValueError, match="shorter"):
        mcnemar([True, False], [True])
