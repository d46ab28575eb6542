"""Once passages are read, what speaks for them speaks as loudly as labels ask for."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.boosts import NAMED
from retrieval.grading import BOOST_POWERS, FACT_POWERS, PassageSupport, weigh
from retrieval.passage import Boost
from tests.builders import passage

boosts = st.lists(
    st.builds(Boost, st.sampled_from([name for name, _ in NAMED]), st.floats(0.3, 2.0)),
    max_size=4,
    unique_by=lambda said: said.name,
).map(tuple)
passages = st.lists(
    st.builds(
        lambda base, text, ordinal, said: passage(text, base, ordinal=ordinal, boosts=said),
        st.floats(0.01, 1.0) | st.none(),
        st.text(max_size=40),
        st.integers(0, 3),
        boosts,
    ),
    max_size=6,
)


def odds_of(found, values):
    return {each.chunk_id: value for each, value in zip(found, values, strict=False)}


odds = st.lists(st.floats(-2_000, 20), max_size=6)


@given(passages, odds)
def test_weighing_twice_is_weighing_once(found, values):
    known = odds_of(found, values)
    once = weigh(found, known)

    assert weigh(once, known) == once


@given(passages, odds)
def test_nothing_is_lost_and_no_hit_counts_nothing(found, values):
    weighed = weigh(found, odds_of(found, values))

    assert {each.chunk_id for each in weighed} == {each.chunk_id for each in found}
    assert all(each.weight > 0 for each in weighed if each.base is not None)
    assert all(0 < each.answering <= 1 for each in weighed)


@given(passages, odds)
def test_every_factor_is_recorded_and_explains_the_order(found, values):
    weighed = weigh(found, odds_of(found, values))
    counts = [prod(said.factor for said in each.reading) for each in weighed]

    assert [each.answering for each in weighed] == pytest.approx(
        [count / max(counts) for count in counts]
    )


def test_of_equals_the_passage_that_names_whom_the_taxonomy_names_comes_first():
    team, names = passage("Ons team.", 0.6, ordinal=1), passage("De artsen.", 0.5, ordinal=1)

    first, second = weigh([team, names], {}, {names.chunk_id: PassageSupport(people=1.0)})

    assert first.chunk_id == names.chunk_id
    assert "people" in dict(first.reading)
    assert not FACT_POWERS.keys() & dict(second.reading).keys()


@given(
    passages,
    odds,
    st.lists(st.builds(PassageSupport, *[st.floats(0, 1)] * len(FACT_POWERS)), max_size=6),
)
def test_what_passages_hold_loses_none_and_is_recorded(found, values, shares):
    has = odds_of(found, shares)
    once = weigh(found, odds_of(found, values), has)

    assert weigh(once, odds_of(found, values), has) == once
    assert {each.chunk_id for each in once} == {each.chunk_id for each in found}
    assert all(each.weight > 0 for each in once if each.base is not None)
    for each in once:
        said = {
            name
            for name, share in zip(FACT_POWERS, has.get(each.chunk_id, ()), strict=False)
            if share
        }
        assert FACT_POWERS.keys() & dict(each.reading).keys() == said


def test_every_power_is_of_a_boost_or_fact_that_exists():
    assert BOOST_POWERS.keys() <= {name for name, _ in NAMED}
    assert tuple(FACT_POWERS) == PassageSupport._fields
