"""What is told of a turn: all that is news, in as few frames as it takes."""

from __future__ import annotations

from chat.protocol import joined


def progress(stage):
    return {"type": "progress", "stage": stage, "percent": 10}


def token(text):
    return {"type": "token", "text": text}


def test_of_one_progress_after_another_the_last_is_told():
    found = [*joined([progress("UNDERSTANDING"), progress("SEARCHING")])]

    assert found == [progress("SEARCHING")]


def test_pieces_that_follow_each_other_are_told_as_one():
    assert [*joined([token("Bezoek "), token("tot 20 uur.")])] == [token("Bezoek tot 20 uur.")]


def test_what_is_taken_back_stays_between_what_was_said_before_and_after():
    frames = [token("Fout"), {"type": "retract", "reason": "numbers"}, token("Goed"), token(".")]

    found = [*joined(frames)]

    assert found == [token("Fout"), {"type": "retract", "reason": "numbers"}, token("Goed.")]


def test_every_other_frame_is_told_as_it_is():
    frames = [{"type": "accepted"}, progress("GENERATING"), {"type": "answer", "text": "Goed."}]

    assert [*joined(frames)] == frames
