"""A mode sets how much is retrieved; steps run in order, each with its fallback."""

import pytest

from chat.behaviours import Mode
from chat.tools import Step, for_each_part, in_order, leave_out, tuned_for, widened
from chat.turn import StageResult, details_of
from retrieval.tuning import RetrievalTuning
from tests.builders import context, tools
from zol.errors import SearchFailed


def test_the_standard_mode_changes_nothing():
    usual = tools()

    assert widened(usual, Mode.STANDARD) is usual


def test_full_mode_keeps_more_passages():
    assert tuned_for(RetrievalTuning(full_limit=12), Mode.FULL).limit == 12


def test_thinking_harder_fetches_a_hundred_and_keeps_twenty():
    tuning = widened(tools(), Mode.ESCALATED).steering.tuning

    assert tuning.limit == 20
    assert tuning.limit * tuning.over_fetch == 100


def _find(ctx, tools):
    return StageResult(ctx.learn(steering_row="found"), {"found": 1})


def _fail(ctx, tools):
    raise SearchFailed("away")


def _stop(ctx, tools):
    return StageResult(ctx.learn(text="Nee."), stop=True)


def test_each_tells_what_it_did_by_its_name():
    result = in_order(context(), tools(), Step(_find))

    assert (result.context.found.steering_row, result.detail) == ("found", {"find": {"found": 1}})


def test_what_fails_costs_only_itself():
    result = in_order(context(), tools(), Step(_fail), Step(_find), Step(_fail, fallback=leave_out))

    assert result.context.found.steering_row == "found"
    assert result.context.degraded
    assert result.failure.count("SearchFailed('away')") == 2


def test_a_step_without_a_fallback_fails_the_stage():
    with pytest.raises(SearchFailed):
        in_order(context(), tools(), Step(_fail, fallback=None))


def test_nothing_follows_a_step_that_ends_the_turn():
    result = in_order(context(), tools(), Step(_stop), Step(_find))

    assert result.stop
    assert result.context.found.steering_row == ""


def test_a_step_that_is_turned_off_is_not_taken():
    off = tools(flags={"boosts": False})

    assert in_order(context(), off, Step(_find, switch="boosts")).context == context()


def test_each_part_is_a_question_of_its_own():
    asked = context(parts=(context("wat?"), context("waar?")))
    result = for_each_part(Step(_find), asked, tools())

    assert [part.found.steering_row for part in result.context.parts] == ["found", "found"]
    assert result.detail == {"parts": [{"found": 1}, {"found": 1}]}


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"stage": "gate_facts", "detail": {"rule": "x"}}, id="version 1.1"),
        pytest.param(
            {"stage": "graph_enrichment", "detail": {"gate_facts": {"rule": "x"}}}, id="now"
        ),
        pytest.param(
            {"stage": "graph_enrichment", "detail": {"parts": [{"gate_facts": {"rule": "x"}}]}},
            id="a part",
        ),
    ],
)
def test_a_trace_is_read_whichever_version_wrote_it(record):
    assert list(details_of("gate_facts", [record])) == [{"rule": "x"}]
