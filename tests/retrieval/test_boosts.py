"""Eleven signals lift and lower a passage, and each can be read afterwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from retrieval.boosts import SIGNALS, Hints, boost
from retrieval.intents import Intent
from retrieval.tuning import RetrievalTuning
from tests.builders import passage, source

#: Two signals are neutral by default; here as the references have them.
NUMBERS = RetrievalTuning(
    navigational_up=1.5, navigational_down=0.7, tier_1_boost=1.15, tier_2_boost=1.05
)


def factors(found, **hints):
    (boosted,) = boost([found], Hints(**hints), NUMBERS)
    return dict(boosted.boosts)


def test_there_are_nine_of_the_references_the_language_and_the_form_of_answer():
    assert len(SIGNALS) == 11


def test_who_asks_when_gets_the_passage_that_has_an_hour():
    spoken = passage(chunk_id=1, base=0.62)
    told = passage(chunk_id=2, base=0.60)

    first, second = boost([spoken, told], Hints(giving=frozenset({2})), NUMBERS)

    assert (first.chunk_id, dict(first.boosts)) == (2, {"answer_form": 1.30})
    assert not second.boosts


def test_among_near_equals_the_page_in_the_visitors_language_wins():
    dutch = passage(chunk_id=1, base=0.62, source=source(language="nl"))
    french = passage(chunk_id=2, base=0.60, source=source(language="fr"))
    clearly = passage(chunk_id=3, base=0.90, source=source(language="nl"))

    ranked = boost([clearly, dutch, french], Hints(language="fr"), NUMBERS)

    assert [found.chunk_id for found in ranked] == [3, 2, 1]
    assert dict(ranked[1].boosts) == {"language": 1.10}


def test_a_page_of_the_right_kind():
    found = passage(source=source(category="Condition"))

    assert factors(found, page_categories=frozenset({"Condition"})) == {"category": 1.20}


@pytest.mark.parametrize(
    ("kind", "factor"),
    [
        pytest.param("Department", 1.80, id="a directory page that also suits the intent"),
        pytest.param("Contact", 1.50, id="a directory page"),
        pytest.param("Brochure", 0.70, id="a brochure"),
        pytest.param("Legal", None, id="anything else"),
    ],
)
def test_who_finds_their_way_gets_directories_before_brochures(kind, factor):
    found = passage(source=source(category=kind))

    measured = factors(
        found, intent=Intent.DOCTOR_LOOKUP, page_categories=frozenset({"Department"})
    )

    assert measured.get("category") == (pytest.approx(factor) if factor else None)


def test_fresh_news_for_who_asks_for_news():
    page = source(category="News", updated_on=date(2026, 3, 1))
    today = date(2026, 3, 5)

    assert factors(passage(source=page), wants_recent=True, today=today) == {"recency": 1.15}
    assert factors(passage(source=page), wants_recent=False, today=today) == {}
    old = replace(page, updated_on=date(2026, 2, 1))
    assert factors(passage(source=old), wants_recent=True, today=today) == {}


def test_a_word_of_the_question_in_the_heading():
    found = passage(section="Betalend parkeren")

    assert factors(found, terms=frozenset({"parkeren"}))["section_header"] == 1.10


def test_the_campus_asked_about():
    found = passage(source=source(campuses=("sint-jan",)))

    assert factors(found, campuses=frozenset({"sint-jan"})) == {"campus": 1.10}


def test_the_page_of_the_previous_answer():
    found = passage(source=source(url="https://ziekenhuis.test/parking"))

    assert factors(found, cited_urls=frozenset({"https://ziekenhuis.test/parking"})) == {
        "conversation": 1.25
    }


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


def test_main_pages_come_a_little_sooner():
    assert factors(passage(source=source(url_tier=1))) == {"url_tier": 1.15}
    assert factors(passage(source=source(url_tier=2))) == {"url_tier": 1.05}
