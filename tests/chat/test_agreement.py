"""What passages have in common with the best of them, by meaning and by numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chat.engines.embedded.agreement import LEADERS, agreements, told_in
from chat.engines.embedded.pool import seen_among
from chat.engines.embedded.quotes import STALE, best_by_passage, readings
from chat.services import take_turn
from chat.stages.skim import skim
from chat.turn import Turn
from retrieval.steering import Steering
from retrieval.tuning import RetrievalTuning
from tests.builders import context, meant, passage, source, tools

PAIN = "De pijnkliniek is te bereiken op 089 32 55 10 voor een afspraak."
SAME_NUMBER = "Bel de pijnkliniek op 089/32.55.10 als u verhinderd bent."
OTHER_NUMBER = "Bel de cafetaria op 089 32 99 99 voor een tafel."


def found(*texts):
    return tuple(
        passage(text, 0.9 * 0.9**n, chunk_id=n, source=source(f"Pagina {n}", document_id=n))
        for n, text in enumerate(texts, start=1)
    )


def agreeing(passages, vectors=None, stale=()):
    """How each passage agrees with the best, by its chunk, when they are ranked as given and some
    statements, by their numbers, are out of date."""
    asked = context(
        "Hoe bereik ik de pijnkliniek?", understanding=meant(language="nl"), passages=passages
    )
    seen = seen_among(asked, tools(), passages)
    odds = readings(seen)
    odds[list(stale)] = STALE
    return agreements(passages, seen, best_by_passage(seen, odds), odds != STALE, vectors)


def test_who_has_the_number_of_the_best_passage_agrees_however_it_is_grouped():
    agreed = agreeing(found(PAIN, SAME_NUMBER, OTHER_NUMBER))

    assert agreed[2].figures > 0
    assert agreed[3].figures == 0


def test_no_passage_agrees_with_itself():
    (alone,) = agreeing(found(PAIN), np.array([[1.0, 0.0]])).values()

    assert alone == (0.0, 0.0)


def test_who_means_nearly_the_same_agrees_more_the_better_what_it_agrees_with():
    three = found(PAIN, SAME_NUMBER, OTHER_NUMBER)
    like_the_first = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])

    agreed = agreeing(three, like_the_first)

    one, two, three = np.sqrt([each.weight for each in three])
    assert agreed[1].agreement == pytest.approx(0.8 * two / (two + three))
    assert agreed[2].agreement == pytest.approx((0.8 * one + 0.6 * three) / (one + three))
    assert agreed[3].agreement == pytest.approx(0.6 * two / (one + two))


def test_the_best_loses_nothing_by_being_far_ahead_of_those_that_agree_with_it():
    ahead, same = found(PAIN, SAME_NUMBER)
    agreed = agreeing((replace(ahead, base=0.99), replace(same, base=0.01)))

    assert [agreed[1].figures, agreed[2].figures] == pytest.approx([1.0, 1.0])


def test_what_is_out_of_date_on_a_page_agrees_with_nothing_and_what_is_not_does():
    both = found(PAIN, f"De pijnkliniek is er voor u. {SAME_NUMBER}")
    near = np.array([[1.0, 0.0], [0.6, 0.8], [1.0, 0.0]])

    assert agreeing(both, near)[2] == (1.0, 1.0)
    assert agreeing(both, near, stale=[2])[2] == (pytest.approx(0.6), 0.0)


def test_without_vectors_only_numbers_are_compared():
    assert {each.agreement for each in agreeing(found(PAIN, SAME_NUMBER)).values()} == {0.0}


@pytest.mark.parametrize(("before", "agrees"), [(LEADERS - 1, True), (LEADERS, False)])
def test_only_the_first_passages_are_agreed_with(before, agrees):
    fillers = [f"Over {word} staat hier iets." for word in "abcdefghij"[:before]]
    last = found(*fillers, PAIN, SAME_NUMBER)

    assert all(each.weight > 0 for each in last)
    assert (agreeing(last)[before + 2].figures > 0) is agrees


def test_nothing_agrees_where_nothing_counts():
    scoreless = tuple(replace(each, base=None) for each in found(PAIN, SAME_NUMBER))

    assert agreeing(scoreless) == {}


def test_numbers_are_compared_as_people_write_them_and_a_single_digit_is_none():
    assert told_in("Kamer 7, 2 bezoekers, van 14.30 tot 20 uur, in 2024 15 bedden.") == {
        "14.3", "20", "2024", "15",
    }  # fmt: skip


@pytest.mark.parametrize(
    "written", ["089 32 55 10", "089/32.55.10", "089-32 55 10", "(089) 32 55 10", "+32 89 32 55 10"]
)
def test_a_telephone_number_is_known_however_it_is_grouped(written):
    assert told_in(f"Bel {written} of kom langs.") == {"+3289325510"}


@pytest.mark.parametrize(("voice", "sooner"), [(0.0, 2), (8.0, 3)])
def test_what_agrees_comes_sooner_as_loudly_as_is_set(voice, sooner):
    passages = found(PAIN, "De pijnkliniek ligt achteraan.", "De receptie kent 089 32 55 10.")
    tuning = RetrievalTuning(figures_voice=voice)
    asked = context(
        "Hoe bereik ik de pijnkliniek?", understanding=meant(language="nl"), passages=passages
    )

    ranked = skim(asked, tools(steering=Steering(tuning=tuning))).context.passages

    assert next(each.chunk_id for each in ranked if each.chunk_id != 1) == sooner


def test_in_a_real_turn_what_agrees_is_recorded_of_every_passage_that_was_read(mini):
    answered = take_turn(Turn("Wat kost parkeren?", "nl"), flags={"cache": False})

    (read,) = (each.detail["read"] for each in answered.trace if each.stage == "skim")
    recorded = [each for each in answered.context.passages if "agreement" in dict(each.reading)]
    assert len(recorded) == read > 1
