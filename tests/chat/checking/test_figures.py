"""Figures are compared by value and unit, however they are written."""

import pytest

from chat.checking.figures import FigureReader

#: Rows of staff, by which 11 ml is not 11 years.
FIGURES = FigureReader(
    units={"ml": "ml", "mg": "mg", "jaar": "year", "uur": "hour", "€": "euro"}, home="be"
)


def unsupported(sentence, evidence):
    source = FIGURES.read(evidence, "")
    said = FIGURES.read(sentence, "")
    return tuple(each.written for each in said if not any(map(each.is_supported_by, source)))


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        pytest.param("Open om 14 uur.", "Open: 14:00-20:00", id="a full hour"),
        pytest.param("Open om 14.30 uur.", "Open: 14:30", id="dot or colon"),
        pytest.param("It costs € 4.50.", "u betaalt € 4,50", id="dot or comma"),
        pytest.param("Het kost € 65.", "€ 65,00 per dag", id="without cents"),
        pytest.param("Bel +32 89 00 11 22.", "tel. 089/00.11.22", id="a number from abroad"),
        pytest.param("Dat kost 3 450 euro.", "kost 3.450 euro", id="thousands"),
        pytest.param("Het is 1250,5 ml.", "1.250,50 ml", id="thousands and decimals"),
        pytest.param("Om 14u30.", "Open: 14:30", id="hours and minutes"),
        pytest.param("Neem ½ tablet.", "0,5 tablet", id="a half"),
        pytest.param("> **5. Kom nuchter.", "5. Kom nuchter.", id="the number of an item"),
        pytest.param("Zie bron [12].", "geen cijfers", id="the number of a source"),
        pytest.param("Kom nuchter.", "", id="no figure at all"),
    ],
)
def test_one_figure_may_be_written_in_many_ways(sentence, evidence):
    assert unsupported(sentence, evidence) == ()


@pytest.mark.parametrize(
    ("sentence", "evidence", "missing"),
    [
        pytest.param(
            "Geef 7,5 ml.", "10 jaar: 5 ml; 12 jaar: 10 ml", "7,5", id="extrapolated dose"
        ),
        pytest.param("Vanaf 11 jaar.", "tot 10 jaar", "11", id="an age beyond the table"),
        pytest.param("Bel 089 00 11 23.", "089 00 11 22", "089 00 11 23", id="another telephone"),
        pytest.param("Het kost € 6.", "€ 65", "6", id="a part of a figure"),
        pytest.param("Open om 14:30.", "Open om 14:00", "14:30", id="half an hour later"),
        pytest.param("Geef 1.250 mg.", "Geef 1,250 mg.", "1.250", id="a thousand times as much"),
        pytest.param("Los 1:1 op.", "Los 1:2 op, 1 keer.", "1:1", id="another ratio"),
        pytest.param("Geef 11 ml.", "Vanaf 11 jaar.", "11", id="years are no millilitres"),
        pytest.param("Op 12.05.2027.", "Op 12.05.2026, in 2027.", "12.05.2027", id="another date"),
    ],
)
def test_a_figure_of_its_own_is_found_out(sentence, evidence, missing):
    assert unsupported(sentence, evidence) == (missing,)


ITALIAN = FigureReader(
    words={"it": {"sei": "6", "sette": "7"}},
    ambiguous=frozenset({("it", "sei")}),
    units={"ore": "hour", "persona": "person"},
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("Aspetta sei ore.", [6], id="before its unit"),
        pytest.param("Aspetta sei o sette ore.", [6, 7], id="before another number"),
        pytest.param("Se sei una persona anziana.", [], id="you are"),
    ],
)
def test_a_word_with_two_meanings_is_a_number_only_before_a_unit(text, numbers):
    read = ITALIAN.read(text, "it")

    assert [number for figure in read for number in figure.numbers] == numbers
