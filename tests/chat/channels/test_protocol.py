"""Frames of a turn that wait together are sent as one."""

from chat.channels.protocol import coalesced


def test_the_last_step_and_the_joined_text_are_sent():
    accepted, answer = {"type": "accepted"}, {"type": "answer"}
    steps = [{"type": "progress", "stage": stage} for stage in ("UNDERSTANDING", "SEARCHING")]
    pieces = [{"type": "token", "text": text} for text in ("Bezoek ", "tot 20 uur.")]

    found = [*coalesced([accepted, *steps, *pieces, answer])]

    assert found == [accepted, steps[-1], {"type": "token", "text": "Bezoek tot 20 uur."}, answer]
