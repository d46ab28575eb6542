"""What is told of a turn: all that is news, in as few frames as it takes, no more often than somebody
can read."""

import asyncio

import pytest

from chat.channels.protocol import BETWEEN, joined, paced

ACCEPTED, TOKEN, ANSWER = ({"type": kind} for kind in ("accepted", "token", "answer"))


def progress(stage):
    return {"type": "progress", "stage": stage}


def token(text):
    return {"type": "token", "text": text}


def test_only_what_is_news_is_told_in_as_few_frames_as_it_takes():
    early, late = progress("UNDERSTANDING"), progress("SEARCHING")
    pieces = [token("Bezoek "), token("tot 20 uur.")]

    found = [*joined([ACCEPTED, early, late, *pieces, ANSWER])]

    assert found == [ACCEPTED, late, token("Bezoek tot 20 uur."), ANSWER]


async def told(*steps):
    """Return what is said of frames, with pauses between them, in its order."""
    said = []

    async def say(frame):
        said.append(frame)

    async def frames():
        for step in steps:
            if isinstance(step, float):
                await asyncio.sleep(step)
            else:
                yield step

    async for frame in paced(frames(), say):
        said.append(frame)
    await asyncio.sleep(BETWEEN * 2)
    return said


async def test_steps_that_are_over_at_once_are_not_told():
    quick = [progress(stage) for stage in ("UNDERSTANDING", "SEARCHING", "ANALYZING")]

    assert await told(ACCEPTED, *quick, ANSWER) == [ACCEPTED, quick[0], ANSWER]


async def test_a_step_that_takes_long_is_told_while_it_does():
    first, second, third = map(progress, ("UNDERSTANDING", "SEARCHING", "GENERATING"))

    assert await told(first, second, third, BETWEEN * 3, ANSWER) == [first, third, ANSWER]


async def test_where_the_answer_is_when_its_text_begins_is_told_before_the_text():
    first, second, last = map(progress, ("UNDERSTANDING", "GENERATING", "EVALUATING"))

    found = await told(first, second, TOKEN, TOKEN, last, ANSWER)

    assert found == [first, second, TOKEN, TOKEN, ANSWER]


async def test_nothing_is_told_of_an_answer_that_failed():
    first, second = map(progress, ("UNDERSTANDING", "SEARCHING"))
    said = []

    async def say(frame):
        said.append(frame)

    async def frames():
        yield first
        yield second
        raise ValueError("the answer failed")

    with pytest.raises(ValueError, match="failed"):
        async for _ in paced(frames(), say):
            pass
    await asyncio.sleep(BETWEEN * 2)

    assert said == [first]
