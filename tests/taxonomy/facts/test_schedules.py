"""Parsing of schedules, and refusals with the invalid part."""

import csv
from contextlib import nullcontext
from pathlib import Path

import pytest

from taxonomy.facts.schedules import (
    Slot,
    UnreadableSchedule,
    campuses_of,
    check_hours,
    format_schedule,
    normalised,
    parse,
    slots,
    whole_days,
)

ROOT = Path(__file__).parent.parent.parent.parent
PACKS = [ROOT / "zol/demo/pack", ROOT / "tests/packs/mini", ROOT / "tests/elsewhere/pack"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("maandag 9u-12u", "ma 9:00-12:00"),
        ("Maandag van 9 uur tot 12 uur", "ma 9:00-12:00"),
        ("ma-vr 9u-12u en 13u30-17u", "ma-vr 9:00-12:00|ma-vr 13:30-17:00"),
        ("weekdagen 8.30 – 17 uur", "ma-vr 8:30-17:00"),
        ("ma, wo en vr 9-12u", "ma 9:00-12:00|wo 9:00-12:00|vr 9:00-12:00"),
        ("di 9-12 en 13-17 @sint-jan", "di 9:00-12:00@sint-jan|di 13:00-17:00@sint-jan"),
        ("ma-vr 9-12u; gesloten op woensdag", "ma-di 9:00-12:00|do-vr 9:00-12:00"),
        ("weekdagen 9-12 behalve wo; wo 13-17", "ma-di 9:00-12:00|do-vr 9:00-12:00|wo 13:00-17:00"),
        ("Mon-Fri 9:00-12:00 and 13:30-17:00", "ma-vr 9:00-12:00|ma-vr 13:30-17:00"),
        ("lundi au vendredi 9h-12h et 13h30-17h", "ma-vr 9:00-12:00|ma-vr 13:30-17:00"),
        ("Montag bis Freitag von 9 bis 12 Uhr", "ma-vr 9:00-12:00"),
        ("pazartesi-cuma 8:30-17:00", "ma-vr 8:30-17:00"),
        ("da lunedì a venerdì dalle 9 alle 12", "ma-vr 9:00-12:00"),
        ("luni - vineri 9:00-12:00", "ma-vr 9:00-12:00"),
        ("Δευτέρα-Παρασκευή 8:00-15:00", "ma-vr 8:00-15:00"),
        ("", ""),
    ],
)  # fmt: skip
def test_usual_notations_are_normalised(said, kept):
    assert format_schedule(parse(said)) == kept
    assert format_schedule(parse(kept)) == kept


@pytest.mark.parametrize(
    ("language", "said", "stored"),
    [
        ("fr", "ma 9h-12h", "mardi 9:00-12:00"),
        ("fr", "di 10h00-12h00", "dimanche 10:00-12:00"),
        ("fr", "lu-ve 9h00-12h00 sauf me", "lundi-mardi 9:00-12:00|jeudi-vendredi 9:00-12:00"),
        ("it", "do 9-12", "domenica 9:00-12:00"),
        ("de", "Mi, Do 9-12 Uhr", "mittwoch 9:00-12:00|donnerstag 9:00-12:00"),
        ("el", "Τρ 9:00-12:00", "τρίτη 9:00-12:00"),
        ("nl", "ma, di 9-12", "ma 9:00-12:00|di 9:00-12:00"),
    ],
)
def test_days_are_read_in_the_language_of_the_hospital(language, said, stored):
    """In whole names, so that what is kept means the same day wherever it is read again."""
    found = normalised(said, language)

    assert found.casefold() == stored
    assert normalised(found, language) == found
    assert format_schedule(parse(found)) == format_schedule(parse(whole_days(said, language)))


@pytest.mark.parametrize(
    ("said", "part"),
    [
        pytest.param("mandag 9-12", "mandag", id="a day misspelt"),
        pytest.param("ma 9-12 op afspraak", "afspraak", id="a condition that nobody would be told"),
        pytest.param("ma 2-5 namiddag", "namiddag", id="hours that are not meant as they stand"),
        pytest.param("ma 9:75-10:00", "9:75", id="no such minute"),
        pytest.param("ma 12-9", "12:00-9:00", id="the end before the start"),
        pytest.param("vr-ma 9-12", "vr-ma 9-12", id="days the wrong way round"),
        pytest.param("ma 9u", "ma 9u", id="no end"),
        pytest.param("ma 9-12|di", "di", id="a day without hours"),
        pytest.param("9-12", "9", id="hours without a day"),
        pytest.param("ma 9-12, niet op ma", "ma 9-12, niet op ma", id="nothing is left"),
    ],
)
def test_unreadable_schedules_are_refused_with_the_invalid_part(said, part):
    with pytest.raises(UnreadableSchedule) as refused:
        parse(said)

    assert refused.value.part == part
    assert f"“{part}”" in str(refused.value)


def test_slots_are_listed_by_day_without_unreadable_parts():
    assert slots("ma-di 9:00-12:00@sint_jan") == (
        Slot(1, "9:00", "12:00", "sint_jan"), Slot(2, "9:00", "12:00", "sint_jan"),
    )  # fmt: skip
    assert [slot.day for slot in slots("ma 9:00-12:00@noord|soms ook dinsdag")] == [1]
    assert campuses_of("ma 9:00-12:00@noord|soms ook dinsdag") == ("noord",)
    assert slots("op afspraak") == ()


@pytest.mark.parametrize(
    "said",
    [
        "bezoek dagelijks 14:00-20:00; max. 2 bezoekers", "dag en nacht open; 7 dagen op 7",
        "lun.-ven. 8h30-12h", "Mo-Fr 8.00-12.00 Uhr, Do 14 Uhr", "Mon-Fri 9 am to 5 pm",
        "nacht 20:00-8:00", "gesloten op 15.08 en 31.12", "uitslag na 48u", "089/32.50.50",
    ],
)  # fmt: skip
def test_hours_are_free_text_in_any_language(said):
    check_hours(said)


@pytest.mark.parametrize(
    ("said", "part"),
    [("ma-vr 9:00-25:00", "25:00"), ("ma 9u60", "9u60"), ("8.75 - 17 uur", "8.75"),
     ("ma 9:00-", "9:00-"), ("ma 9u-26u", "26u")],
)  # fmt: skip
def test_impossible_hours_are_refused(said, part):
    with pytest.raises(UnreadableSchedule) as refused:
        check_hours(said)

    assert refused.value.part == part


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.parent.name)
def test_schedules_and_hours_of_all_packs_are_valid(pack):
    for name, column in (("doctors", "schedule"), ("departments", "hours"), ("campuses", "hours")):
        with (pack / f"taxonomy/{name}.csv").open(encoding="utf-8") as file:
            for cell in (row.get(column) or "" for row in csv.DictReader(file)):
                if column == "hours":
                    check_hours(cell)
                else:
                    assert format_schedule(parse(cell)) == cell


@pytest.mark.parametrize(
    ("said", "is_date"),
    [
        *((said, True) for said in ("1/03/2026", "2026-03-01", "1/mrt", "9-déc.", "1-Mar-26")),
        *((said, False) for said in ("24/7", "24/24", "9 uur", "1/03/2026 gesloten", "9-12", "ma-vr",
                                     "di 9.30-12.30", "zie 3-4")),
    ],
)  # fmt: skip
def test_dates_are_refused_as_hours(said, is_date):
    with pytest.raises(UnreadableSchedule, match="is a date") if is_date else nullcontext():
        check_hours(said)
