"""Whatever fails, a patient gets an answer or a useful sentence, once, and the trace tells what failed.

Every stage of the real pipeline fails in every way it can; then the services themselves are taken away.
"""

import logging
from dataclasses import replace

import psycopg
import pytest
from django.db import OperationalError, connections

from chat import services
from chat.answer_cache.store import forget_answers
from chat.models import Conversation, Message
from chat.pipeline import PIPELINE, run
from chat.turn import StageResult
from tests.chat import asgi
from tests.chat.asgi import of_rows
from zol.errors import LLMTimeout, LLMUnavailable, SearchFailed, UnusableReply
from zol.runtime.bridge import done_by

pytestmark = pytest.mark.usefixtures("application")
QUESTION = "Welke oogartsen werken hier?"
#: What our adapters say when the world fails: declared, and every fallback must live with it.
EXPECTED = (SearchFailed, LLMTimeout, LLMUnavailable, UnusableReply)
#: What nobody declared: a mistake of ours, or a database that is gone in the middle.
UNEXPECTED = (ValueError, OperationalError)


def failing(step, error):
    def stage(ctx, tools):
        raise error("on purpose")

    stage.__name__ = step.name
    return replace(step, action=stage)


def learning_nothing(step):
    def stage(ctx, tools):
        return StageResult(ctx)

    stage.__name__ = step.name
    return replace(step, action=stage)


@pytest.fixture
def pipeline_with(monkeypatch):
    """Let turns go through the real stages, but for one."""

    def put(step, instead):
        steps = tuple(instead if one is step else one for one in PIPELINE)
        monkeypatch.setattr(services, "run", lambda turn, tools, _all: run(turn, tools, steps))

    return put


@pytest.fixture
async def socket(mini):
    made = await asgi.connected()
    await of_rows(Conversation.objects.all().delete)
    yield made
    await made.disconnect()


async def asked(socket):
    """Ask; return every frame until the turn is over, and check that nothing comes after it."""
    await of_rows(forget_answers)
    found = await asgi.asked(socket, QUESTION)
    assert await socket.receive_nothing(timeout=0.05)
    return found


async def kept():
    return await of_rows(lambda: list(Message.objects.order_by("created_at")))


def is_told_once(frames):
    """Nothing is told twice, neither while it is written nor in the finished answer."""
    *_, last = frames
    assert [frame["type"] for frame in frames].count("accepted") == 1
    written = "".join(frame["text"] for frame in frames if frame["type"] == "token")
    for text in (last["text"], written):
        paragraphs = [part for part in text.split("\n\n") if part.strip()]
        assert len(paragraphs) == len(set(paragraphs))
    assert last["text"].strip()


def named(errors):
    return [pytest.param(error, id=error.__name__) for error in errors]


def failures_of(message):
    return {one["stage"]: one["failure"] for one in message.trace["stages"] if one["failure"]}


@pytest.mark.parametrize("error", named(EXPECTED))
async def test_a_stage_that_fails_as_declared_costs_nobody_the_answer(socket, pipeline_with, error):
    for step in [one for one in PIPELINE if one.fallback]:
        pipeline_with(step, failing(step, error))

        is_told_once(await asked(socket))

        message = (await kept())[-1]
        failures = failures_of(message)
        assert message.state == Message.State.FINISHED, step.name
        assert list(failures) == [step.name]
        assert error.__name__ in failures[step.name]
    assert await of_rows(Conversation.objects.count) == 1


@pytest.mark.parametrize("error", named((*UNEXPECTED, SearchFailed)))
async def test_any_other_failure_is_told_in_words_and_the_trace_tells_it(
    socket, pipeline_with, caplog, error
):
    caplog.set_level(logging.CRITICAL)
    for step in [one for one in PIPELINE if error in UNEXPECTED or not one.fallback]:
        pipeline_with(step, failing(step, error))

        *_, last = await asked(socket)

        code = "unavailable" if error is OperationalError else "error"
        assert (last["type"], last["code"]) == ("error", code), step.name
        message = (await kept())[-1]
        assert (message.state, message.answer) == (Message.State.FAILED, "")
        assert failures_of(message) == {step.name: error.__name__}
        assert "on purpose" not in str(message.trace)

    pipeline_with(None, None)
    is_told_once(await asked(socket))


async def test_a_stage_that_learns_nothing_leaves_an_answer_or_a_sentence(
    socket, pipeline_with, caplog
):
    caplog.set_level(logging.CRITICAL)
    for step in PIPELINE:
        pipeline_with(step, learning_nothing(step))

        frames = await asked(socket)

        if frames[-1]["type"] == "error":
            assert (
                step.name == "context_building"
            )  # Without its dossier there is nothing to write from.
        else:
            is_told_once(frames)


async def test_a_database_that_lost_every_connection_answers_the_next_question(socket):
    is_told_once(await asked(socket))

    await done_by(cut_all_connections)

    is_told_once(await asked(socket))
    assert [one.state for one in await kept()] == [Message.State.FINISHED] * 2


async def test_a_database_that_goes_away_in_the_middle_is_told_in_words(
    socket, pipeline_with, caplog
):
    caplog.set_level(logging.CRITICAL)
    step = next(one for one in PIPELINE if one.name == "retrieval")

    def search(ctx, tools):
        cut_all_connections()
        return step.action(ctx, tools)

    pipeline_with(step, replace(step, action=search))

    *_, last = await asked(socket)

    states = [one.state for one in await kept()]
    assert last["type"] in ("answer", "error")
    assert (last["type"] == "answer") == (states == [Message.State.FINISHED])


async def test_without_redis_questions_are_answered(socket, settings):
    settings.RATE_LIMITS = "60/hour"
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    is_told_once(await asked(socket))


def cut_all_connections():
    """Let PostgreSQL end every connection to the test database, as a restart does."""
    owner = connections["owner"].get_connection_params()
    names = {
        key: owner[key] for key in ("host", "port", "user", "password", "dbname") if owner.get(key)
    }
    with psycopg.connect(**names, autocommit=True) as line:
        line.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
