"""Newer default rows replace what nobody edited, and nothing else."""

from __future__ import annotations

import pytest

from taxonomy.newer import newer

OLD = {"text": "bellen", "weight": 1.0}
NEW = {"text": "bellen", "weight": 2.0}
EDITED = {"text": "bellen", "weight": 7.0}


def compared(given, own, today):
    return newer(given, own, today, ("text",))


def test_a_row_that_nobody_edited_follows_its_default():
    found = compared([OLD], [OLD], [NEW])

    assert [(each.now, each.newer) for each in found.changed] == [(OLD, NEW)]
    assert found.changed[0].fields() == (("weight", 1.0, 2.0),)
    assert found.total == 1


def test_a_row_that_was_edited_is_kept_and_said():
    found = compared([OLD], [EDITED], [NEW])

    assert [each.now for each in found.kept] == [EDITED]
    assert found.total == 0


def test_an_edited_row_whose_default_is_the_same_is_not_mentioned():
    assert compared([OLD], [EDITED], [OLD]).kept == ()


def test_a_row_that_staff_removed_does_not_return():
    assert compared([OLD], [], [NEW]).total == 0


def test_a_row_that_is_new_is_added():
    assert compared([], [], [NEW]).added == (NEW,)


def test_a_row_of_staff_by_the_name_of_a_new_default_is_kept():
    found = compared([], [EDITED], [NEW])

    assert (found.total, len(found.kept)) == (0, 1)


def test_a_row_that_already_says_the_newer_thing_is_left():
    assert compared([OLD], [NEW], [NEW]) == compared([], [], [])


@pytest.mark.parametrize(
    ("own", "number"),
    [pytest.param(OLD, 1, id="unedited"), pytest.param(EDITED, 0, id="edited")],
)
def test_a_default_that_was_withdrawn_goes_unless_it_was_edited(own, number):
    assert len(compared([OLD], [own], []).withdrawn) == number


def test_a_row_of_staff_stays():
    assert compared([OLD], [OLD, {"text": "eigen", "weight": 1.0}], [OLD]).total == 0


def test_a_column_that_is_newer_than_what_was_given_makes_no_row_edited():
    own, today = OLD | {"note": ""}, NEW | {"note": "x"}

    assert [each.now for each in compared([OLD], [own], [today]).changed] == [own]
