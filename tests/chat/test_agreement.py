"""What passages have in common with the best of them, by meaning and by numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chat.engines.embedded.agreement import LEADERS, agreements, numbers
from chat.engines.embedded.pool import seen_among
from chat.engines.embedded.quotes import best_by_passage
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
        passage(text, 0.9 - 0.1 * n, chunk_id=n, source=source(f"Pagina {n}", document_id=n))
        for n, text in enumerate(texts, start=1)
    )


def agreeing(passages, vectors=None):
    """How each passage agrees with the best, by its chunk, when they are ranked as given."""
    asked = context(
        "Hoe bereik ik de pijnkliniek?", understanding=meant(language="nl"), passages=passages
    )
    seen = seen_among(asked, tools(), passages)
    return agreements(passages, seen, best_by_passage(seen), vectors)


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

    weights = np.sqrt([each.weight for each in three])
    share = weights / weights.sum()
    assert agreed[1].agreement == pytest.approx(0.8 * share[1])
    assert agreed[2].agreement == pytest.approx(0.8 * share[0] + 0.6 * share[2])
    assert agreed[3].agreement == pytest.approx(0.6 * share[1])


def test_without_vectors_only_numbers_are_compared():
    assert {each.agreement for each in agreeing(found(PAIN, SAME_NUMBER)).values()} == {0.0}


def test_only_the_first_passages_are_agreed_with():
    fillers = [f"Over {word} staat hier iets." for word in "abcdefghij"[:LEADERS]]
    last = found(*fillers, PAIN, SAME_NUMBER)

    assert agreeing(last)[LEADERS + 2].figures == 0


def test_nothing_agrees_where_nothing_counts():
    scoreless = tuple(replace(each, base=None) for each in found(PAIN, SAME_NUMBER))

    assert agreeing(scoreless) == {}


def test_a_single_digit_is_no_number_and_grouping_is_none_of_it():
    assert numbers("Kamer 7, 2 bezoekers, van 14.30 tot 20 uur, bel 089 32.55/10.") == {
        "1430", "20", "089325510",
    }  # fmt: skip


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
    ranked = take_turn(Turn("Wat kost parkeren?", "nl"), flags={"cache": False}).context

    read = [each for each in ranked.passages if dict(each.reading).get("agreement")]
    assert len(read) > 1
    assert all(dict(each.reading)["agreement"] > 1 for each in read[:1])
