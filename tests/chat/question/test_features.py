"""What an intent is recognised by: also what is asked of which kind of thing."""

from __future__ import annotations

from chat.question.cues import Cue, CueMatches
from chat.question.learned.features import features_of

HOURS = Cue("topic", "hours", "wanneer open", 3.0, 0, 2)
COSTS = Cue("topic", "billing", "kost", 3.0, 2, 3)


def together(words: list[str], *cues: Cue) -> set[str]:
    found = features_of(words, "nl", (), CueMatches(cues), ())
    return {name for name in found if "&" in name}


def test_hours_asked_of_a_department_differ_from_those_of_nothing():
    of_a_department = together(["wanneer", "open", "{department}"], HOURS)

    assert of_a_department == {"{department}&topic:hours"}
    assert together(["wanneer", "open"], HOURS) == {"{}&topic:hours"}


def test_two_things_that_are_asked_count_together():
    found = together(["wanneer", "open", "kost"], HOURS, COSTS)

    assert "topic:billing&topic:hours" in found


def test_nothing_counts_together_where_nothing_is_asked():
    assert together(["goede", "morgen"]) == set()
