"""What an intent is recognised by: also what is asked of which kind of thing."""

from __future__ import annotations

from chat.understanding.cues import Cue, Said
from chat.understanding.features import features_of

ASKS = Cue("intent", "department_or_service_lookup", "welke afdeling", 3.0, 0, 2)
COSTS = Cue("topic", "billing", "kost", 3.0, 2, 3)


def together(words: list[str], *cues: Cue) -> set[str]:
    found = features_of(words, "nl", (), Said(cues), ())
    return {name for name in found if "&" in name}


def test_a_department_asked_for_a_disease_differs_from_one_asked_for_nothing():
    of_a_disease = together(["welke", "afdeling", "{condition}"], ASKS)

    assert of_a_disease == {"{condition}&cue:department_or_service_lookup"}
    assert together(["welke", "afdeling"], ASKS) == {"{}&cue:department_or_service_lookup"}


def test_two_things_that_are_asked_count_together():
    found = together(["welke", "afdeling", "kost"], ASKS, COSTS)

    assert "cue:department_or_service_lookup&topic:billing" in found


def test_nothing_counts_together_where_nothing_is_asked():
    assert together(["goede", "morgen"]) == set()
