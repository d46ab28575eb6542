"""Thinking harder reads more, and a setting of the hospital decides how much."""

from chat.behaviours import Mode
from chat.tools import tuned_for, widened
from retrieval.tuning import RetrievalTuning
from tests.builders import tools


def test_the_standard_mode_changes_nothing():
    usual = tools()

    assert widened(usual, Mode.STANDARD) is usual


def test_full_mode_keeps_more_passages():
    assert tuned_for(RetrievalTuning(full_limit=12), Mode.FULL).limit == 12


def test_thinking_harder_fetches_a_hundred_and_keeps_twenty():
    tuning = widened(tools(), Mode.ESCALATED).steering.tuning

    assert tuning.limit == 20
    assert tuning.limit * tuning.over_fetch == 100
