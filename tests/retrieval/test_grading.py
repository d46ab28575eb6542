"""Once passages are read, what speaks for them speaks as loudly as labels ask for."""

from __future__ import annotations

from dataclasses import fields, replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.boosts import NAMED
from retrieval.grading import FACTS, VOICES, PassageSupport, weigh
from retrieval.meanings import meaning_of
from retrieval.passage import Boost
from retrieval.tuning import RetrievalTuning
from tests.builders import passage

USUAL = RetrievalTuning()
#: Every voice at what changes nothing.
SILENT = replace(
    USUAL, skim_voice=0.0, opening_boost=1.0, length_voice=0.0, **dict.fromkeys(VOICES.values(), 1)
)
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
    once = weigh(found, known, USUAL)

    assert weigh(once, known, USUAL) == once


@given(passages, odds)
def test_nothing_is_lost_and_no_hit_counts_nothing(found, values):
    weighed = weigh(found, odds_of(found, values), USUAL)

    assert {each.chunk_id for each in weighed} == {each.chunk_id for each in found}
    assert all(each.weight > 0 for each in weighed if each.base is not None)
    assert all(0 < each.answering <= 1 for each in weighed)


@given(passages, odds)
def test_what_carries_no_score_stays_last_in_its_order(found, values):
    weighed = weigh(found, odds_of(found, values), USUAL)
    scoreless = [each.chunk_id for each in found if each.base is None]

    assert [each.chunk_id for each in weighed[len(weighed) - len(scoreless) :]] == scoreless


@given(passages, odds)
def test_every_factor_is_recorded_and_explains_the_order(found, values):
    weighed = weigh(found, odds_of(found, values), USUAL)
    counts = [prod(said.factor for said in each.reading) for each in weighed]

    assert [each.answering for each in weighed] == pytest.approx(
        [count / max(counts) for count in counts]
    )


@given(passages, odds)
def test_without_voices_the_order_of_the_search_stands(found, values):
    weighed = weigh(found, odds_of(found, values), SILENT)

    assert all(each.answering == 1.0 for each in weighed)
    assert [each.weight for each in weighed] == sorted((f.weight for f in found), reverse=True)


def test_a_boost_with_a_louder_voice_decides_between_near_equals():
    plain = passage("Bel ons.", 0.60, ordinal=1)
    giving = passage("Bel 089.", 0.50, ordinal=1, boosts=(Boost("answer_form", 1.15),))

    assert weigh([plain, giving], {}, SILENT)[0] == replace(plain, reading=weigh_of(plain))
    louder = replace(SILENT, answer_form_voice=3.0)
    assert weigh([plain, giving], {}, louder)[0].chunk_id == giving.chunk_id


def weigh_of(one):
    return weigh([one], {}, SILENT)[0].reading


def test_of_equals_the_passage_that_a_page_begins_with_comes_first():
    later, opening = passage("Bezoek.", ordinal=2), passage("Bezoek.", ordinal=0)

    assert weigh([later, opening], {}, USUAL)[0].chunk_id == opening.chunk_id


def test_of_equals_the_passage_that_names_whom_the_taxonomy_names_comes_first():
    team, names = passage("Ons team.", 0.6, ordinal=1), passage("De artsen.", 0.5, ordinal=1)

    first, second = weigh([team, names], {}, USUAL, {names.chunk_id: PassageSupport(people=1.0)})

    assert first.chunk_id == names.chunk_id
    assert "people" in dict(first.reading)
    assert not FACTS.keys() & dict(second.reading).keys()


@given(
    passages, odds, st.lists(st.builds(PassageSupport, *[st.floats(0, 1)] * len(FACTS)), max_size=6)
)
def test_what_passages_hold_loses_none_and_is_recorded(found, values, shares):
    has = odds_of(found, shares)
    once = weigh(found, odds_of(found, values), USUAL, has)

    assert weigh(once, odds_of(found, values), USUAL, has) == once
    assert {each.chunk_id for each in once} == {each.chunk_id for each in found}
    assert all(each.weight > 0 for each in once if each.base is not None)
    for each in once:
        said = {
            name for name, share in zip(FACTS, has.get(each.chunk_id, ()), strict=False) if share
        }
        assert FACTS.keys() & dict(each.reading).keys() == said


def test_every_voice_is_a_boost_that_exists_and_a_setting_that_is_explained():
    known = {field.name for field in fields(RetrievalTuning)}

    assert VOICES.keys() <= {name for name, _ in NAMED}
    assert tuple(FACTS) == PassageSupport._fields
    assert all(name in known and meaning_of(name) for name in (*VOICES.values(), *FACTS.values()))
