"""Whatever a pack may write in a schedule, a patient is told."""

from __future__ import annotations

import pytest

from chat.schedules import Hours, Slot, Sort, said_days, slots, split_hours
from evaluation.packs.cells import campuses_in, read_schedule


def test_a_slot_of_one_day():
    assert slots("ma 9:00-12:00@sint-jan") == (Slot(1, "9:00", "12:00", "sint-jan"),)


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param("ma-vr 9:00-12:00@sint-jan", id="several days"),
        pytest.param("do 13:30-17:00@sint_jan", id="a campus with an underscore"),
        pytest.param("ma 9:00-12:00|za-zo 10:00-11:00", id="two of them"),
    ],
)
def test_what_a_pack_accepts_is_told(schedule):
    read_schedule(schedule)

    told = slots(schedule)

    assert len(told) >= len(schedule.split("|"))
    assert {slot.campus for slot in told if slot.campus} == set(campuses_in(schedule))


def test_several_days_are_told_one_by_one():
    assert [slot.day for slot in slots("ma-wo 9:00-12:00")] == [1, 2, 3]


def sort_of(part):
    said = {"bezoek": Sort.VISITING, "raadpleging": Sort.OPENING}
    return said.get(part.split()[0])


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        pytest.param("ma-vr 9:00-17:00", Hours("ma-vr 9:00-17:00"), id="no word at all"),
        pytest.param("bezoek 14:00-20:00", Hours("", "bezoek 14:00-20:00"), id="visitors only"),
        pytest.param(
            "raadpleging ma 9:00-12:00; bezoek 14:00-20:00; partner dag en nacht",
            Hours("raadpleging ma 9:00-12:00", "bezoek 14:00-20:00; partner dag en nacht"),
            id="both, and one that goes on",
        ),
    ],
)
def test_hours_of_visitors_are_told_from_the_others(written, hours):
    assert split_hours(written, sort_of) == hours


def test_days_are_said_in_full_where_they_are_days():
    names = {1: "lundi", 2: "mardi", 4: "jeudi", 5: "vendredi"}

    assert said_days("ma-vr 9:00; di en do 13:00", names.__getitem__) == (
        "lundi-vendredi 9:00; mardi en jeudi 13:00"
    )
    assert said_days("samen met ma of pa", names.__getitem__) == "samen met ma of pa"
