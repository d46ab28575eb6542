"""Texts are compared with what a question means: one that goes on also with what it goes on from."""

from __future__ import annotations

from dataclasses import replace

from chat import live
from chat.sources.quotation.candidates import likeness_for
from chat.turn import Exchange, Turn, Understanding
from tests.builders import context, passage

PRICE = "Een eenpersoonskamer kost in Maaseik 58 euro per dag."
PARKING = "In Maaseik parkeert u het eerste uur gratis."


BEFORE = Turn("", history=(Exchange("Was kostet ein Einzelzimmer?", "58 Euro."),))


def alike(understanding: Understanding) -> list[float]:
    ctx = context("und in Maaseik?", turn=BEFORE, understanding=understanding)
    compare = likeness_for(ctx, live.tools())
    assert compare is not None
    found = passage(f"{PRICE} {PARKING}", 0.8)
    return compare([found]).tolist()


def test_a_question_that_goes_on_is_compared_as_it_is_completed(mini):
    meant = Understanding(language="de", query="prijs eenpersoonskamer Maaseik", is_followup=True)

    price, parking = alike(meant)
    price_alone, parking_alone = alike(replace(meant, is_followup=False))

    assert price - parking > price_alone - parking_alone + 0.05
    assert price > parking
