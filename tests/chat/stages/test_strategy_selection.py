"""The question decides which sources are searched and which kinds of pages are preferred."""

import pytest

from chat.stages.graph_enrichment import graph_enrichment
from chat.stages.retrieval import retrieval
from chat.stages.strategy_selection import strategy_selection
from chat.turn import Context, SearchTarget, Turn
from retrieval.intents import Intent
from retrieval.tuning import Steering
from taxonomy.vocabulary import Kind
from tests.builders import context, meant, passage, phrases, thing, tools, vocabulary

CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie", phone="089 00 11 22")
PRACTICAL = Intent.NAVIGATION_OR_PRACTICAL_INFO
STEERING = Steering(page_categories={PRACTICAL: frozenset({"Practical"})})


def kit(**fields):
    values = {"words": vocabulary(CARDIOLOGY), "phrases": phrases(), "steering": STEERING}
    return tools(finds=[passage("Cardiologie")], **values | fields)


def chosen(understanding, *, asked=context, **fields):
    return strategy_selection(asked(understanding=understanding), kit(**fields)).context


@pytest.mark.parametrize(
    ("understanding", "flags", "lanes"),
    [
        pytest.param(meant(CARDIOLOGY), {}, SearchTarget.HYBRID, id="something is named"),
        pytest.param(meant(), {}, SearchTarget.VECTOR, id="nothing is named"),
        pytest.param(
            meant(intent=Intent.DOCTOR_LOOKUP), {}, SearchTarget.HYBRID, id="who speaks Greek"
        ),
        pytest.param(meant(CARDIOLOGY), {"taxonomy": False}, SearchTarget.VECTOR, id="no taxonomy"),
        pytest.param(
            meant(CARDIOLOGY),
            {"dense": False, "keyword": False},
            SearchTarget.GRAPH,
            id="no search",
        ),
    ],
)
def test_the_lanes_are_those_that_may_answer(understanding, flags, lanes):
    result = strategy_selection(context(understanding=understanding), kit(flags=flags))

    assert result.context.strategy.target is lanes
    assert result.detail["lanes"] == lanes
    assert result.detail["why"]


@pytest.mark.parametrize(
    ("understanding", "categories", "preferred"),
    [
        pytest.param(meant(intent=PRACTICAL), (), {"Practical"}, id="those that suit the intent"),
        pytest.param(meant(intent=PRACTICAL, is_followup=True), (), set(), id="a follow-up"),
        pytest.param(meant(intent=PRACTICAL), ("Legal",), set(), id="the request names its own"),
    ],
)
def test_some_kinds_of_pages_come_first(understanding, categories, preferred):
    def asked(**learned):
        return Context(Turn("?", categories=categories), question="?").learn(**learned)

    assert chosen(understanding, asked=asked).strategy.preferred == preferred


def test_only_the_chosen_lanes_are_asked():
    values = kit(flags={"dense": False, "keyword": False})
    taxonomy_alone = strategy_selection(context(understanding=meant(CARDIOLOGY)), values).context
    pages_alone = chosen(meant(CARDIOLOGY), flags={"taxonomy": False})

    assert retrieval(taxonomy_alone, values).context.passages == ()
    assert graph_enrichment(taxonomy_alone, values).context.published.findings
    assert retrieval(pages_alone, kit()).context.passages
    assert graph_enrichment(pages_alone, kit()).context.published.findings == ()
