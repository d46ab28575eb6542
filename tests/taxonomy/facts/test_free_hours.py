"""Hours are told by their sort, with the days in the language of whoever asks."""

from __future__ import annotations

import pytest

from chat.safety.rows import defaults
from taxonomy.facts.free_hours import FreeHours, Sort, day_names, split_hours


def sort_of(part):
    said = {"bezoek": Sort.VISITING, "raadpleging": Sort.OPENING}
    return said.get(part.split()[0])


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        pytest.param("ma-vr 9:00-17:00", FreeHours("ma-vr 9:00-17:00"), id="no word at all"),
        pytest.param("bezoek 14:00-20:00", FreeHours("", "bezoek 14:00-20:00"), id="visitors only"),
        pytest.param(
            "raadpleging ma 9:00-12:00; bezoek 14:00-20:00; partner dag en nacht",
            FreeHours("raadpleging ma 9:00-12:00", "bezoek 14:00-20:00; partner dag en nacht"),
            id="both, and one that goes on",
        ),
    ],
)
def test_hours_of_visitors_are_told_from_the_others(written, hours):
    assert split_hours(written, sort_of) == hours


NAMES = dict(enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), start=1))


@pytest.fixture(scope="module")
def days():
    return day_names(defaults("cues"))


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        pytest.param("nl", "ma-vr 9:00; di en do 13:00", "mon-fri 9:00; tue en thu 13:00", id="nl"),
        pytest.param(
            "nl",
            "raadpleging ma t/m vr 14.00 uur",
            "raadpleging mon t/m fri 14.00 uur",
            id="nl words",
        ),
        pytest.param(
            "nl", "bezoek vrij 14:00-20:00", "bezoek vrij 14:00-20:00", id="nl, no Friday"
        ),
        pytest.param(
            "de", "die Ambulanz Mo-Fr 8:00", "die Ambulanz mon-fri 8:00", id="de, article"
        ),
        pytest.param("fr", "visites ma 14h00-19h30", "visites tue 14h00-19h30", id="fr"),
        pytest.param(
            "fr",
            "lu-ve 8h30; ma et je 9h00; sa 9h00",
            "mon-fri 8h30; tue et thu 9h00; sat 9h00",
            id="fr several",
        ),
        pytest.param("fr", "lun.-ven. 8h30-12h", "mon-fri 8h30-12h", id="fr dots"),
        pytest.param("fr", "lundi au vendredi : 8h", "mon au fri : 8h", id="fr in full"),
        pytest.param(
            "de", "Mo-Fr 8.00-12.00 Uhr, Do 14 Uhr", "mon-fri 8.00-12.00 Uhr, thu 14 Uhr", id="de"
        ),
        pytest.param("en", "Mon-Fri 9 am to 5 pm", "mon-fri 9 am to 5 pm", id="en"),
        pytest.param("it", "ma e gi 9:00", "tue e thu 9:00", id="it"),
        pytest.param("ro", "lu-vi 8:00; sâ 9:00", "mon-fri 8:00; sat 9:00", id="ro"),
        pytest.param("tr", "Pzt-Cum 8:30", "mon-fri 8:30", id="tr"),
        pytest.param("el", "Δευ-Παρ 8:00", "mon-fri 8:00", id="el"),
        pytest.param(
            "fr", "ma-vr 8:30", "mon-fri 8:30", id="another language that alone knows them"
        ),
        pytest.param("tr", "ma 9:00", "ma 9:00", id="two languages that disagree"),
        pytest.param("nl", "samen met ma of pa", "samen met ma of pa", id="no hours"),
        pytest.param("fr", "7j/7, sa mère 9h", "7j/7, sa mère 9h", id="a small word"),
    ],
)
def test_days_are_read_in_the_language_of_the_hospital(days, language, written, said):
    assert days.said(written, language, NAMES.__getitem__) == said
