"""A price per kilowatt-hour does not answer what an hour costs, and an answer that may is left be."""

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
UNITS = Units(Unit(fold(text), name, code, text) for code, text, name in ROWS)
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
    ("question", "language", "shown", "asked", "found"),
    [
        ("Wat kost laden per minuut?", "nl", CHARGING, "per minuut", ("per kWh",)),
        ("Wat kost parkeren per half uur?", "nl", TARIFF, "per half uur", ("per uur",)),
        ("How much is charging a day?", "en", CHARGING, "a day", ("per kWh",)),
    ],
)
def test_the_gap_names_what_was_asked_and_what_is_shown_in_the_askers_language(
    question, language, shown, asked, found
):
    gap = UNITS.gap(question, shown, language)

    assert gap is not None
    assert (gap.asked, gap.found) == (asked, found)


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
