"""A question that fails is told as failed, with its reason."""

from typing import cast

import pytest

from evaluation.golden import Case, EarlierTurn
from evaluation.interview import Interview
from zol.errors import NotPublished


class Breaking:
    """An earlier turn that cannot be told."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    @property
    def answer(self) -> str:
        raise self.error


def case(error: Exception) -> Case:
    return Case(
        "visit-1", "practical_info", "nl", "En op zondag?", (cast("EarlierTurn", Breaking(error)),)
    )


def test_a_bug_that_a_question_meets_is_its_failure(caplog):
    answered, failure = Interview("nl").answered(case(KeyError("hours")))

    assert answered is None
    assert failure == "KeyError: 'hours'"
    assert "visit-1" in caplog.text


def test_where_nothing_can_be_asked_at_all_the_run_ends():
    with pytest.raises(NotPublished):
        Interview("nl").answered(case(NotPublished("test")))
