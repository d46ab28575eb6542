"""Passages about the wrong subject do not outrank those about the right one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.affinity import mismatch, primary_category, rebalance
from retrieval.boosts import Hints, boost
from retrieval.intents import Intent
from retrieval.passage import Boost, by_weight
from retrieval.steering import Steering
from retrieval.tuning import RetrievalTuning
from tests.builders import passage

ROW = "navigation_or_practical_info"
STEERING = Steering(
    by_intent={
        Intent.NAVIGATION_OR_PRACTICAL_INFO: ROW,
        Intent.DOCTOR_LOOKUP: "doctor_information",
    },
    by_topic={"billing": "billing_or_insurance"},
    cells={
        (ROW, "practical"): 1.30,
        (ROW, "regulatory"): 0.55,
        (ROW, "clinical_info"): 0.65,
        (ROW, "general"): 1.00,
        (ROW, "appointments"): 1.05,
        (ROW, "legal_admin"): 0.85,
    },
)


def entrance(base=0.65):
    return passage("De ingang is toegankelijk met een rolstoel.", base, category="practical")


def reimbursement(base=0.85):
    return passage("Terugbetaling van een rolstoel.", base, category="regulatory")


def test_a_passage_on_the_wrong_subject_falls_behind():
    first, second = rebalance([reimbursement(), entrance()], ROW, STEERING)

    assert (first.category, first.score) == ("practical", pytest.approx(0.845))
    assert (second.category, second.score) == ("regulatory", pytest.approx(0.4675))


def test_even_the_worst_ranking_can_be_turned_round():
    assert (
        rebalance([reimbursement(0.95), entrance(0.50)], ROW, STEERING)[0].category == "practical"
    )


def test_two_strong_passages_outvote_three_weak_ones():
    found = [entrance(0.85), entrance(0.85), *(reimbursement(0.45) for _ in range(3))]

    assert primary_category(found) == "practical"


def test_the_share_of_the_best_five_below_neutral_is_the_mismatch():
    found = [entrance(), reimbursement(), reimbursement(), passage(category="general"), entrance()]

    assert mismatch(found, ROW, STEERING).rate == pytest.approx(0.4)


def test_a_topic_overrides_the_row_of_the_intent():
    assert STEERING.row_for(Intent.DOCTOR_LOOKUP) == "doctor_information"
    assert STEERING.row_for(Intent.DOCTOR_LOOKUP, "billing") == "billing_or_insurance"
    assert STEERING.row_for(Intent.UNKNOWN) == ""


CATEGORIES = ("practical", "regulatory", "clinical_info", "appointments", "legal_admin", "general")
found_passages = st.lists(
    st.builds(
        passage,
        text=st.just("x"),
        base=st.one_of(st.none(), st.floats(0.001, 1.0)),
        category=st.sampled_from(CATEGORIES),
        boosts=st.just((Boost("campus", 1.4),)),
    ),
    max_size=12,
)


@given(found_passages)
def test_an_unknown_row_changes_nothing(found):
    ranked = by_weight(found)

    after = rebalance(ranked, "nobody_knows", STEERING)

    assert [p.chunk_id for p in after] == [p.chunk_id for p in ranked]
    assert [p.score for p in after] == [p.score for p in ranked]


@given(found_passages)
def test_doing_it_twice_equals_doing_it_once(found):
    once = rebalance(found, ROW, STEERING)

    assert rebalance(once, ROW, STEERING) == once


@given(found_passages)
def test_the_order_inside_a_category_is_kept_even_where_scores_are_clamped(found):
    before = by_weight(found)
    after = rebalance(before, ROW, STEERING)

    for category in CATEGORIES:
        kept = [p.chunk_id for p in before if p.category == category]
        assert [p.chunk_id for p in after if p.category == category] == kept


@given(found_passages)
def test_shown_scores_stay_within_bounds_and_the_scoreless_stay_last_in_their_order(found):
    after = rebalance(found, ROW, STEERING)

    assert all(0.0 <= p.score <= 1.0 for p in after)
    scoreless = [p.chunk_id for p in found if p.base is None]
    assert [p.chunk_id for p in after][len(after) - len(scoreless) :] == scoreless


@given(found_passages, st.sampled_from([ROW, "doctor_information", "nobody_knows", ""]))
def test_no_hit_is_ever_lost_or_worth_nothing(found, row):
    by_words_only = [replace(p, similarity=0.0, keyword_rank=1) for p in found]

    boosted = boost(by_words_only, Hints(), RetrievalTuning())
    after = rebalance(boosted, row, STEERING)

    assert {p.chunk_id for p in after} == {p.chunk_id for p in found}
    assert all(p.score > 0 for p in after if p.base is not None)
