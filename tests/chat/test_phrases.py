"""Fixed texts are written by people, who make mistakes: a patient still gets an answer."""

from __future__ import annotations

import pytest

from chat.phrases import Phrases
from taxonomy.snapshot import Profile


def said(text, **values):
    phrases = Phrases({("x", "nl"): text}, Profile(short_name="ZOL"))
    return phrases.say("x", "nl", **values)


def test_placeholders_are_filled_in():
    assert said("{short_name}: {department}", department="Oogziekten") == "ZOL: Oogziekten"


def test_what_nobody_fills_in_stays_as_it_is():
    assert said("Bel {iemand}") == "Bel {iemand}"


@pytest.mark.parametrize(
    "text", ["Bel {phone", "Bel phone}", "Bel {0}", "Bel {}", "Bel {short_name!q}", "{a.b[c]}"]
)
def test_a_brace_too_many_fails_nobody(text):
    assert said(text) == text


def test_a_value_is_not_read_as_a_text():
    assert said("{department}", department="{short_name}") == "{short_name}"
