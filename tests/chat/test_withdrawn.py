"""What is withdrawn is out of answers within five seconds, also in processes that knew it."""

from __future__ import annotations

import json
import time
from urllib.request import Request, urlopen

import pytest

from retrieval import services
from retrieval.models import Document
from retrieval.services import bump_revision
from tests.answering import HOST, forget_conversations
from tests.chat.server import Server
from tests.databases import databases

PAGE = "https://www.azm-mini.example/praktisch/bereikbaarheid"
QUESTION = "Hoeveel kost parkeren met de auto?"
#: Seconds after which nothing of a page is left.
LONGEST = 5.0


@pytest.fixture
def ask(mini, tmp_path):
    """Ask a web process of its own, which remembers answers and pages."""
    server = Server(tmp_path)
    server.collect()
    server.start()

    def answer():
        body = json.dumps({"question": QUESTION}).encode()
        headers = {"Host": HOST, "Content-Type": "application/json"}
        request = Request(f"http://127.0.0.1:{server.port}/api/v1/chat", body, headers)
        with urlopen(request) as reply:  # noqa: S310 (our own server)
            return json.load(reply)

    yield answer
    Document.objects.filter(url=PAGE).update(status=Document.Status.READY)
    bump_revision(mini.pk)
    forget_conversations()
    server.stop()
    databases.spoil()


def until(holds, ask):
    """Ask until something holds of the answer, for as long as may be."""
    began, reply = time.monotonic(), ask()
    while not holds(reply) and time.monotonic() - began < LONGEST:
        time.sleep(0.2)
        reply = ask()
    return reply


def test_a_withdrawn_page_is_out_of_search_cache_and_sources_of_another_process(mini, ask):
    before = until(lambda reply: reply["cached"], ask)
    services.withdraw(mini, list(Document.objects.filter(url=PAGE)))
    after = until(lambda reply: PAGE not in json.dumps(reply), ask)

    assert before["cached"]
    assert PAGE in json.dumps(before["citations"])
    assert PAGE not in json.dumps(after)
    assert "1,50" not in after["text"]
