"""The HTTP interface as a stream, over real HTTP against the product's own server."""

from __future__ import annotations

import json
from http.client import HTTPConnection

import pytest

from tests.answering import HOST, PATIENCE
from tests.chat.page.steps import VISITING

pytestmark = pytest.mark.browser


def streamed(server, **asked):
    """Return the events of a stream."""
    line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    headers = {"Host": HOST, "Content-Type": "application/json", "Accept": "text/event-stream"}
    line.request("POST", "/api/v1/chat", json.dumps(asked), headers)
    reply = line.getresponse()
    assert reply.getheader("Content-Type").startswith("text/event-stream")
    events = reply.read().decode().strip().split("\n\n")
    line.close()
    lines = [event.split("\n") for event in events]
    assert all(name == f"event: {json.loads(data[6:])['type']}" for name, data in lines)
    return reply.status, [json.loads(data[6:]) for _, data in lines]


def test_the_events_of_a_socket_come_as_a_stream(server, address):
    _, frames = streamed(server, question=VISITING, language="nl", categories=["Practical"])

    kinds = [frame["type"] for frame in frames]
    assert kinds[0] == "accepted"
    assert kinds[-1] == "answer"
    assert "progress" in kinds
    assert "".join(f["text"] for f in frames if f["type"] == "token") == frames[-1]["text"]

    names = {name: frames[0][name] for name in ("conversation", "secret")}
    _, more = streamed(server, question=VISITING, **names)
    assert more[-1]["message"] != frames[-1]["message"]


def test_a_refusal_is_the_only_event_of_its_stream(server, address):
    status, frames = streamed(server, question=VISITING, categories=["Nonsense"])

    assert status == 400
    assert [(frame["type"], frame["code"]) for frame in frames] == [("error", "bad_message")]
