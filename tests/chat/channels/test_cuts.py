"""A socket may be cut at any moment: the answer is completed or taken up again, once."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Event
from uuid import uuid4

import pytest
from channels.testing import WebsocketCommunicator
from django.db import connections

from chat.channels.sessions import told
from chat.models import Conversation, Message
from chat.tasks import end_abandoned
from retrieval.models import CategoryMismatch
from tests.answering import HOST, PATIENCE
from zol.models import Hospital
from zol.postgres.locks import TAKE
from zol.runtime.bridge import done_by
from zol.tenancy import serving

HEADERS = [(b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode())]
QUESTION = "Welke oogartsen werken hier?"
#: Cuts: a few in every run, a hundred in a soak.
CUTS = 100 if os.environ.get("SOAK") else 10


@pytest.fixture(autouse=True)
def application(mini):
    import zol.asgi

    return zol.asgi.application


async def opened():
    from zol.asgi import application

    socket = WebsocketCommunicator(application, "/ws/chat/", headers=HEADERS)
    connected, _ = await socket.connect(timeout=PATIENCE)
    assert connected
    return socket


async def receive_until(socket, *kinds):
    while (frame := await socket.receive_json_from(timeout=PATIENCE))["type"] not in kinds:
        pass
    return frame


async def cut_after(seconds, name):
    """Ask, and lose the connection; return what was heard of `accepted`."""
    socket = await opened()
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
    socket = await opened()
    if heard is None:
        again = {"id": name, "language": "nl"}
        await socket.send_json_to({"type": "ask", "question": QUESTION, **again})
        heard = await receive_until(socket, "accepted")
    names = {key: heard[key] for key in ("conversation", "secret")}
    for _ in range(60):
        await socket.send_json_to({"type": "resume", **names})
        resumed = await receive_until(socket, "resumed")
        if resumed["messages"]:
            await socket.disconnect()
            return resumed["messages"]
        await asyncio.sleep(0.1)
    raise AssertionError("The answer never came")


@pytest.mark.soak
async def test_a_cut_at_any_moment_costs_no_answer_and_gives_none_twice(mini):
    await done_by(nothing_before)
    moments = Random(7)  # noqa: S311
    for _ in range(CUTS):
        name = str(uuid4())

        answers = await taken_up(name, await cut_after(moments.uniform(0, 0.12), name))

        assert [answer["message"] for answer in answers] == [name]
        assert "Emre Çalışkan" in answers[0]["text"]
    assert await done_by(kept) == (CUTS, CUTS)


def nothing_before():
    with serving(Hospital.objects.get(slug="azm-mini")):
        Conversation.objects.all().delete()


def kept():
    with serving(Hospital.objects.get(slug="azm-mini")):
        finished = Message.objects.filter(state=Message.State.FINISHED)
        return finished.count(), Conversation.objects.count()


async def test_forgetting_from_another_window_during_an_answer_leaves_nothing(mini):
    first, second = await opened(), await opened()
    await first.send_json_to({"type": "ask", "question": QUESTION, "language": "nl"})
    accepted = await receive_until(first, "accepted")
    names = {key: accepted[key] for key in ("conversation", "secret")}

    await second.send_json_to({"type": "resume", **names})
    await second.send_json_to({"type": "forget"})
    await receive_until(second, "forgotten")
    ended = await receive_until(first, "answer", "stopped", "error")

    assert ended["type"] in ("answer", "stopped")
    assert await done_by(partial(left_of, accepted)) == (0, 0, 0)
    await first.disconnect()
    await second.disconnect()


async def test_who_asks_on_after_it_was_forgotten_in_another_window_begins_anew(mini):
    first, second = await opened(), await opened()
    await first.send_json_to({"type": "ask", "question": QUESTION, "language": "nl"})
    names = await receive_until(first, "accepted")
    await receive_until(first, "answer")
    known = {key: names[key] for key in ("conversation", "secret")}
    await second.send_json_to({"type": "resume", **known})
    await second.send_json_to({"type": "forget"})
    await receive_until(second, "forgotten")

    await first.send_json_to({"type": "ask", "question": QUESTION, "language": "nl"})
    refused = await receive_until(first, "answer", "error")
    await first.send_json_to({"type": "ask", "question": QUESTION, "language": "nl"})
    answered = await receive_until(first, "answer", "error")

    assert (refused["type"], answered["type"]) == ("error", "answer")
    await first.disconnect()
    await second.disconnect()


def left_of(accepted):
    with serving(Hospital.objects.get(slug="azm-mini")):
        return (
            Conversation.objects.filter(pk=accepted["conversation"]).count(),
            Message.objects.filter(pk=accepted["message"]).count(),
            CategoryMismatch.objects.filter(message_id=accepted["message"]).count(),
        )


def test_what_a_killed_process_left_behind_is_ended_and_what_is_being_answered_is_not(mini):
    conversation = Conversation.objects.create(hospital=mini)
    row = partial(Message.objects.create, hospital=mini, conversation=conversation, question="x")
    lost, answered = row(process="zol.process.killed"), row(process="zol.process.alive")

    with held_elsewhere(answered.process):
        end_abandoned()

    assert Message.objects.get(pk=lost.pk).state == Message.State.FAILED
    assert Message.objects.get(pk=answered.pk).state == Message.State.RUNNING
    Conversation.objects.all().delete()


def test_whoever_comes_back_is_told_at_once_what_a_killed_process_left_behind(mini):
    conversation = Conversation.objects.create(hospital=mini)
    row = partial(Message.objects.create, hospital=mini, conversation=conversation, question="x")
    lost, answered = row(process="zol.process.killed"), row(process="zol.process.alive")

    with held_elsewhere(answered.process):
        said = told(conversation)

    assert said == {"messages": [], "unanswered": [str(lost.pk)]}
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
