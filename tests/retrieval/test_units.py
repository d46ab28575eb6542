"""A price per kilowatt-hour does not answer what an hour costs, and an answer that may is left be."""

from __future__ import annotations

import pytest

from retrieval.units import Unit, Units
from zol.text import fold

ROWS = (
    ("nl", "per uur", "hour"),
    ("nl", "per half uur", "half_hour"),
    ("nl", "per minuut", "minute"),
    ("nl", "per kWh", "kwh"),
    ("nl", "per dag", "day"),
    ("nl", "weekabonnement", "week"),
    ("nl", "per week", "week"),
    ("en", "per hour", "hour"),
    ("en", "a day", "day"),
    ("en", "per kWh", "kwh"),
    ("en", "per minute", "minute"),
)
UNITS = Units(Unit(fold(text), name, "any", code, text) for code, text, name in ROWS)
CHARGING = "Elektrisch laden kost € 0,45 per kWh op campus Sint-Jan."
TARIFF = "\n".join(
    (
        "- Eerste 30 minuten · gratis",
        "- Daarna · € 1,80 per begonnen uur",
        "- Dagmaximum (24 uur) · € 9,00",
        "- Verloren ticket · € 15",
    )
)


@pytest.mark.parametrize(
    ("question", "shown", "asked", "found"),
    [
        ("Wat kost laden per minuut?", CHARGING, "per minuut", ("per kWh",)),
        ("Wat kost parkeren per minuut?", TARIFF, "per minuut", ("per uur",)),
        ("Wat kost parkeren per half uur?", TARIFF, "per half uur", ("per uur",)),
    ],
)
def test_the_gap_names_what_was_asked_and_what_is_shown(question, shown, asked, found):
    gap = UNITS.gap(question, shown, "nl")

    assert gap is not None
    assert (gap.asked, gap.found) == (asked, found)


def test_units_are_named_in_the_language_of_the_asker_whatever_that_of_the_page():
    gap = UNITS.gap("How much is charging a day?", CHARGING, "en")

    assert gap is not None
    assert (gap.asked, gap.found) == ("a day", ("per kWh",))


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        pytest.param("Wat kost parkeren per uur?", TARIFF, id="the unit is there"),
        pytest.param("Wat kost parkeren per dag?", TARIFF, id="a row may be of that unit"),
        pytest.param("Wat kost parkeren?", CHARGING, id="no unit was asked"),
        pytest.param("Hoeveel per uur?", "Wij zijn open tot 17 uur.", id="nothing is priced"),
        pytest.param("Wat kost een kamer per dag?", "De kamer kost 58 euro.", id="no unit is said"),
        pytest.param("Wat kost dat per uur of per dag?", CHARGING, id="two units were asked"),
    ],
)
def test_no_gap(question, shown):
    assert UNITS.gap(question, shown, "nl") is None
