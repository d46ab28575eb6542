"""What people did to a chunk survives a new version of its page."""

from __future__ import annotations

from retrieval.ingestion.prepare import Draft
from retrieval.ingestion.store import Existing, plan

ONE = "De bezoekuren van de B3-afdeling zijn elke dag van drie tot half acht."
ONE_CHANGED = "De bezoekuren van de B3-afdeling zijn elke dag van twee tot half acht."
TWO = "Parkeren kost anderhalve euro per begonnen uur."


def draft(text):
    return Draft(text, "", 0, (), "general", {}, (), 1, source_hash=f"hash of {text}")


def chunk(pk, text, *, source=None, is_edited=False, is_marked=False):
    return Existing(pk, text, "", "", (), f"hash of {source or text}", is_edited, is_marked)


def seen(places):
    return [
        (
            place.draft.content if place.draft else None,
            place.existing.pk if place.existing else None,
            place.keeps_text,
            place.source_changed,
        )
        for place in places
    ]


def test_an_unchanged_source_keeps_its_chunk():
    assert seen(plan([chunk(1, ONE), chunk(2, TWO)], [draft(TWO), draft(ONE)])) == [
        (TWO, 2, False, False),
        (ONE, 1, False, False),
    ]


def test_an_edit_survives_an_unchanged_source():
    edited = chunk(1, "Onze eigen woorden.", source=ONE, is_edited=True)

    assert seen(plan([edited], [draft(ONE)])) == [(ONE, 1, True, False)]


def test_an_edit_survives_a_changed_source_and_is_marked():
    edited = chunk(1, f"{ONE} Bel eerst even.", source=ONE, is_edited=True)

    assert seen(plan([edited], [draft(TWO), draft(ONE_CHANGED)])) == [
        (TWO, None, False, False),
        (ONE_CHANGED, 1, True, True),
    ]


def test_an_edit_survives_a_source_that_is_gone():
    edited = chunk(1, ONE, source="iets heel anders", is_edited=True)

    assert seen(plan([edited], [draft(TWO)])) == [(TWO, None, False, False), (None, 1, True, True)]


def test_an_unedited_chunk_whose_source_changed_is_replaced():
    assert seen(plan([chunk(1, ONE)], [draft(ONE_CHANGED)])) == [(ONE_CHANGED, None, False, False)]


def test_a_chunk_that_was_switched_off_stays_off_with_its_new_text():
    off = chunk(1, ONE, is_marked=True)

    assert seen(plan([off], [draft(ONE_CHANGED)])) == [(ONE_CHANGED, 1, False, False)]


def test_two_equal_passages_are_two_chunks():
    places = plan([chunk(1, ONE), chunk(2, ONE)], [draft(ONE), draft(ONE)])

    assert [place.existing.pk for place in places] == [1, 2]
