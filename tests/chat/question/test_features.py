"""What an intent is recognised by: also what is asked of which kind of thing."""

from __future__ import annotations

from chat.question.cues import Cue, CueMatches
from chat.question.learned.features import features_of

GOES_ON = Cue("followup", "", "en", 3.0, 0, 1)


def together(words: list[str], *cues: Cue) -> set[str]:
    found = features_of(words, "nl", (), CueMatches(cues), ())
    return {name for name in found if "&" in name}


def test_what_goes_on_about_a_department_differs_from_what_goes_on_about_nothing():
    assert together(["en", "{department}"], GOES_ON) == {"{department}&followup:"}
    assert together(["en", "dan"], GOES_ON) == {"{}&followup:"}


def test_nothing_counts_together_where_nothing_is_asked():
    assert together(["goede", "morgen"]) == set()
