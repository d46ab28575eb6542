"""A socket may be cut at any moment: the answer is completed or taken up again, once."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Event
from uuid import uuid4

import pytest
from django.db import connections

from chat.channels import sessions
from chat.models import Conversation, Message
from chat.tasks import end_abandoned
from retrieval.models import CategoryMismatch
from tests.answering import PATIENCE
from tests.chat.asgi import asked, connected, frames, of_rows, told
from zol.postgres.locks import TAKE

pytestmark = pytest.mark.usefixtures("application")
QUESTION = "Welke oogartsen werken hier?"
#: Cuts: a few in every run, a hundred in a soak.
CUTS = 100 if os.environ.get("SOAK") else 5


async def cut_after(seconds, name):
    """Ask, and lose the connection; return what was heard of `accepted`."""
    socket = await connected()
    await socket.send_json_to({"type": "ask", "question": QUESTION, "language": "nl", "id": name})
    await asyncio.sleep(seconds)
    heard = None
    while not socket.output_queue.empty():
        frame = await socket.receive_json_from()
        heard = frame if frame["type"] == "accepted" else heard
    await socket.disconnect()
    return heard


async def taken_up(name, heard):
    """Do what the page does when the connection is back; return the answer."""
    socket = await connected()
    if heard is None:
        ask = {"type": "ask", "question": QUESTION, "id": name, "language": "nl"}
        heard = await told(socket, "accepted", **ask)
    names = {key: heard[key] for key in ("conversation", "secret")}
    for _ in range(60):
        resumed = await told(socket, "resumed", type="resume", **names)
        if resumed["messages"]:
            await socket.disconnect()
            return resumed["messages"]
        await asyncio.sleep(0.1)
    raise AssertionError("The answer never came")


@pytest.mark.soak
async def test_a_cut_at_any_moment_costs_no_answer_and_gives_none_twice(mini):
    await of_rows(Conversation.objects.all().delete)
    moments = Random(7)  # noqa: S311
    for _ in range(CUTS):
        name = str(uuid4())

        answers = await taken_up(name, await cut_after(moments.uniform(0, 0.12), name))

        assert [answer["message"] for answer in answers] == [name]
        assert "Emre Çalışkan" in answers[0]["text"]
    finished = Message.objects.filter(state=Message.State.FINISHED)
    assert await of_rows(finished.count) == await of_rows(Conversation.objects.count) == CUTS


@pytest.mark.parametrize("is_answered", [False, True], ids=["during", "after"])
async def test_forgetting_in_another_window_leaves_nothing_of_an_answer(mini, is_answered):
    first, second = await connected(), await connected()
    accepted = await told(first, "accepted", type="ask", question=QUESTION)
    if is_answered:
        await frames(first, "answer")

    names = {key: accepted[key] for key in ("conversation", "secret")}
    await second.send_json_to({"type": "resume", **names})
    await told(second, "forgotten", type="forget")

    if is_answered:
        # Who asks on begins anew.
        refused, answered = [(await asked(first, QUESTION))[-1]["type"] for _ in range(2)]
        assert (refused, answered) == ("error", "answer")
    else:
        assert (await frames(first, "answer", "stopped"))[-1]["type"] in ("answer", "stopped")
    assert await of_rows(partial(left_of, accepted)) == (0, 0, 0)
    await first.disconnect()
    await second.disconnect()


def left_of(accepted):
    return (
        Conversation.objects.filter(pk=accepted["conversation"]).count(),
        Message.objects.filter(pk=accepted["message"]).count(),
        CategoryMismatch.objects.filter(message_id=accepted["message"]).count(),
    )


def test_what_a_killed_process_left_behind_is_told_at_once_and_ended(mini):
    conversation = Conversation.objects.create(hospital=mini)
    row = partial(Message.objects.create, hospital=mini, conversation=conversation, question="x")
    lost, answered = row(process="zol.process.killed"), row(process="zol.process.alive")

    with held_elsewhere(answered.process):
        said = sessions.transcript(conversation)
        end_abandoned()

    assert said == {"messages": [], "unanswered": [str(lost.pk)]}
    assert Message.objects.get(pk=lost.pk).state == Message.State.FAILED
    assert Message.objects.get(pk=answered.pk).state == Message.State.RUNNING
    Conversation.objects.all().delete()


@contextmanager
def held_elsewhere(name):
    """Hold the lock of a process as another one does: over a connection of its own."""
    begun, ended = Event(), Event()

    def hold():
        with connections["owner"].cursor() as cursor:
            cursor.execute(TAKE, [name])
            begun.set()
            ended.wait(PATIENCE)
        connections.close_all()

    with ThreadPoolExecutor() as threads:
        threads.submit(hold)
        assert begun.wait(PATIENCE)
        try:
            yield
        finally:
            ended.set()


def test_what_a_process_of_version_1_1_answers_is_held_by_a_lock_of_its_own(mini):
    conversation = Conversation.objects.create(hospital=mini)
    old = Message.objects.create(hospital=mini, conversation=conversation, question="x")

    with held_elsewhere(f"chat.message.{old.pk}"):
        end_abandoned()
        before = Message.objects.get(pk=old.pk).state
    end_abandoned()

    assert (before, Message.objects.get(pk=old.pk).state) == ("running", "failed")
    Conversation.objects.all().delete()
