"""Boosts: what lifts or lowers a passage, its subject among them."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fields import Place
from retrieval.intents import Intent
from retrieval.passage import Boost, by_weight
from retrieval.ranking import Hints, Naming, boost, changed_by, mismatch, rebalance
from retrieval.tuning import RetrievalTuning, Steering
from tests.builders import passage, source

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


NOORD, ZUID = (("campus", "noord"),), (("campus", "zuid"),)


def entrance(base=0.65):
    return passage("De ingang is toegankelijk met een rolstoel.", base, category="practical")


def reimbursement(base=0.85):
    return passage("Terugbetaling van een rolstoel.", base, category="regulatory")


def test_a_passage_on_the_wrong_subject_falls_behind():
    first, second = rebalance([reimbursement(), entrance()], ROW, STEERING)

    assert (first.category, first.score) == ("practical", pytest.approx(0.845))
    assert (second.category, second.score) == ("regulatory", pytest.approx(0.4675))


def test_nothing_lowers_a_passage_that_names_all_that_is_asked():
    wrong = passage("Terugbetaling van een rolstoel.", 0.9, chunk_id=1, category="regulatory")
    right = passage("De ingang is vlak.", 0.5, chunk_id=2, category="practical")

    def first(naming, **given):
        return rebalance([wrong, right], ROW, STEERING, naming, **given)[0]

    assert first({1: Naming(0.5), 2: Naming(0.5)}).chunk_id == 2
    assert first({1: Naming(1.0)}).affinity == 1.0
    lifted = first({1: Naming(0.4), 2: Naming(0.5, 0.5)}, lifts=True)
    assert lifted.boosts == (Boost("asked", pytest.approx(1.4**2)),)
    again = rebalance([lifted], ROW, STEERING, {2: Naming(0.5, 0.5)}, lifts=True)
    assert again == (lifted,), "applied twice is applied once"


def test_a_category_counts_as_changing_what_comes_first_only_by_its_own_affinity():
    def changing(*passages):
        return set(changed_by(rebalance(passages, ROW, STEERING)))

    assert changing(reimbursement(0.6), entrance()) == set()
    assert changing(reimbursement(0.85), entrance(0.5)) == {"regulatory"}
    assert changing(reimbursement(0.85), entrance(0.4)) == {"regulatory", "practical"}


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
def test_steering_moves_whole_categories_once_and_no_score_out_of_bounds(found):
    ranked = by_weight(found)
    after = rebalance(ranked, ROW, STEERING)

    assert rebalance(after, ROW, STEERING) == after
    for category in CATEGORIES:
        kept = [p.chunk_id for p in ranked if p.category == category]
        assert [p.chunk_id for p in after if p.category == category] == kept
    assert all(0.0 <= p.score <= 1.0 for p in after)
    scoreless = [p.chunk_id for p in ranked if p.base is None]
    assert [p.chunk_id for p in after][len(after) - len(scoreless) :] == scoreless
    unknown = rebalance(ranked, "nobody_knows", STEERING)
    assert [(p.chunk_id, p.score) for p in unknown] == [(p.chunk_id, p.score) for p in ranked]


@given(found_passages, st.sampled_from([ROW, "doctor_information", "nobody_knows", ""]))
def test_no_hit_is_ever_lost_or_worth_nothing(found, row):
    by_words_only = [replace(p, similarity=0.0, keyword_rank=1) for p in found]

    boosted = boost(by_words_only, Hints(), RetrievalTuning())
    after = rebalance(boosted, row, STEERING)

    assert {p.chunk_id for p in after} == {p.chunk_id for p in found}
    assert all(p.score > 0 for p in after if p.base is not None)


#: Neutral by default; here as the references have it.
NUMBERS = RetrievalTuning(tier_1_boost=1.15)


def factors(found, **hints):
    (boosted,) = boost([found], Hints(**hints), NUMBERS)
    return dict(boosted.boosts)


@pytest.mark.parametrize(
    ("scopes", "factor"),
    [
        ([ZUID, NOORD], 1.1),
        ([NOORD, NOORD], 0.9),
        ([NOORD, ()], 1.0),
        ([()], 1.0),
        ([(("ward", "spoed"),)], 1.0),
    ],
    ids=["some is of it", "all is of another", "some is of all", "none says", "another kind"],
)
def test_scope_ranks_and_leaves_nothing_out(scopes, factor):
    page = passage("\n".join("x" for _ in scopes), places=tuple(Place(scope=s) for s in scopes))

    (found,) = boost([page], Hints(scope=ZUID), RetrievalTuning())

    assert dict(found.boosts).get("scope", 1.0) == factor


def test_among_near_equals_the_page_in_the_visitors_language_wins():
    dutch = passage(chunk_id=1, base=0.62, source=source(language="nl"))
    french = passage(chunk_id=2, base=0.60, source=source(language="fr"))
    clearly = passage(chunk_id=3, base=0.90, source=source(language="nl"))

    ranked = boost([clearly, dutch, french], Hints(language="fr"), NUMBERS)

    assert [found.chunk_id for found in ranked] == [3, 2, 1]
    assert dict(ranked[1].boosts) == {"language": 1.10}


def test_fresh_news_for_who_asks_for_news():
    page = source(category="News", updated_on=date(2026, 3, 1))
    today = date(2026, 3, 5)

    assert factors(passage(source=page), wants_recent=True, today=today) == {"recency": 1.15}
    assert factors(passage(source=page), wants_recent=False, today=today) == {}
    old = replace(page, updated_on=date(2026, 2, 1))
    assert factors(passage(source=old), wants_recent=True, today=today) == {}


@pytest.mark.parametrize(
    ("words", "factor"),
    [
        pytest.param({"bus"}, None, id="a word of three letters counts nothing"),
        pytest.param({"lift"}, 1.05, id="four letters"),
        pytest.param({"ingang"}, 1.10, id="six letters"),
        pytest.param({"rolstoel"}, 1.20, id="eight letters"),
        pytest.param({"rolstoel", "ingangen", "parkeren"}, 1.40, id="never above the cap"),
    ],
)
def test_words_of_the_question_in_the_text(words, factor):
    found = passage("De bus, de lift, de ingang en de ingangen; parkeren met een rolstoel.")

    measured = factors(found, terms=frozenset(words)).get("content_keywords")

    assert measured == (pytest.approx(factor) if factor else None)


def test_authority_dampens_and_never_lifts():
    assert factors(passage(source=source(authority=0.6))) == {"authority": 0.6}
    assert factors(passage(source=source(authority=1.0))) == {}
