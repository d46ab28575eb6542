"""Sentences that have nothing to do with a question are left out; what they stand under stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval import grading
from retrieval.fields import reading, unpacked

PAGE = """## Parkeren
Het eerste uur is gratis. Daarna betaalt u twee euro.
## Artsen
|Naam | Dag
Dr. Maes | maandag
Dr. Peeters | dinsdag
## Winkel
De winkel is open."""


def filtered(text, keeps):
    lines = zip(text.splitlines(), unpacked(text, "", None), strict=True)
    return "\n".join(reading(grading.filtered(lines, keeps)))


def about(*spoken):
    return lambda sentence, heading: any(word in f"{heading} {sentence}" for word in spoken)


def test_a_sentence_that_is_kept_stands_under_its_heading():
    assert filtered(PAGE, about("euro")) == "## Parkeren\nDaarna betaalt u twee euro."


def test_a_sentence_brings_the_one_behind_it():
    text = "Parkeren is betalend. Daarna wordt het duurder. De winkel is open."

    assert filtered(text, about("Parkeren")) == "Parkeren is betalend. Daarna wordt het duurder."


def test_a_row_that_is_kept_has_the_names_of_its_columns():
    assert filtered(PAGE, about("Peeters")) == "## Artsen\nNaam: Dr. Peeters; Dag: dinsdag"


def test_what_stands_under_a_heading_that_fits_is_kept():
    assert filtered(PAGE, about("Winkel")) == "## Winkel\nDe winkel is open."


def test_of_nothing_that_fits_nothing_is_left():
    assert filtered(PAGE, about("helikopter")) == ""


@given(st.text(alphabet="ab. |#\n", max_size=80))
def test_nothing_is_ever_added(text):
    assert set(filtered(text, lambda *_: True)) <= {*text, *":;\n "}
