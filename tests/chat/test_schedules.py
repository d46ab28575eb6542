"""Whatever a pack may write in a schedule, a patient is told."""

from __future__ import annotations

import pytest

from chat.schedules import Slot, slots
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
