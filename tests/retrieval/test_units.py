"""A price per kilowatt-hour does not answer what an hour costs."""

from __future__ import annotations

import pytest

from retrieval.units import Unit, unit_gap

UNITS = (
    Unit("per uur", "hour", "time"),
    Unit("per minuut", "minute", "time"),
    Unit("per kwh", "kwh", "energy"),
    Unit("per dag", "day", "time"),
)
CHARGING = "Elektrisch laden kost € 0,45 per kWh op campus Sint-Jan."
PARKING = "Parkeren kost € 1,50 per uur; een dagkaart € 8 per dag."


def test_the_gap_names_what_was_asked_and_what_was_found():
    gap = unit_gap("Wat kost parkeren per minuut?", [CHARGING], UNITS)

    assert gap is not None
    assert (gap.asked, gap.found) == ("per minuut", ("per kwh",))


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        pytest.param("Wat kost parkeren per uur?", [CHARGING, PARKING], id="the unit is there"),
        pytest.param(
            "Wat kost parkeren per uur?",
            [CHARGING, "Daarna € 1,80 per begonnen uur."],
            id="a word stands between",
        ),
        pytest.param("Wat kost parkeren?", [CHARGING], id="no unit was asked"),
        pytest.param("Hoeveel per uur?", ["Wij zijn open tot 17 uur."], id="nothing is priced"),
    ],
)
def test_no_gap(question, texts):
    assert unit_gap(question, texts, UNITS) is None
