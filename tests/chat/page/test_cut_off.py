"""A line that drops, falls silent or leads to a server that was killed costs no answer."""

import json
import socket

import pytest
from django.db import connection, transaction
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from chat.channels.consumers import IDLE
from chat.models import Message
from tests.answering import HOST, PATIENCE
from tests.chat.page.steps import LONG_DISEASES, VISITING, Line, answers, ask

pytestmark = pytest.mark.browser

#: Milliseconds, as in `static/chat/socket.js`.
LOOK_EVERY, ANSWERS_WITHIN, LONGEST_WAIT = 10_000, 5_000, 15_000
NOISE = "WebSocket|ERR_INTERNET|ERR_CONNECTION"


def test_a_question_asked_while_offline_is_answered_once_when_the_network_is_back(visit):
    page = visit(ignore=NOISE)
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)

    page.context.set_offline(True)
    expect(page.locator("#connection")).to_contain_text("niet verbonden met het internet")
    ask(page, LONG_DISEASES)
    expect(page.locator(".progress")).to_be_visible()
    page.context.set_offline(False)

    expect(answers(page)).to_have_count(2)
    ask(page, VISITING)
    expect(answers(page)).to_have_count(3)
    assert Message.objects.count() == 3


class SilentLine(Line):
    """A line on which, from a moment on, nothing arrives and nobody says so."""

    def __init__(self):
        super().__init__()
        self.sockets = 0
        #: Which socket is dead: a new one finds a new way.
        self.dead = 0

    def prepare(self, page):
        # A test puts the clock forward instead of waiting.
        page.clock.install()
        super().prepare(page)

    def connect(self, page_side):
        self.page_side = page_side
        self.sockets += 1
        mine = self.sockets
        server_side = page_side.connect_to_server()
        page_side.on_message(lambda frame: mine == self.dead or server_side.send(frame))
        server_side.on_message(page_side.send)


def test_a_line_that_falls_silent_is_noticed_and_replaced(visit):
    line = SilentLine()
    page = visit(ignore=NOISE, prepare=line.prepare)
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)

    line.dead = 1
    ask(page, LONG_DISEASES)
    page.clock.fast_forward(LOOK_EVERY)
    page.clock.fast_forward(ANSWERS_WITHIN)

    expect(answers(page)).to_have_count(2)
    assert line.sockets == 2
    assert Message.objects.count() == 2


class Accepting(Line):
    """Notes that the server has taken a question."""

    accepted = 0

    def pass_on(self, frame):
        super().pass_on(frame)
        self.accepted += json.loads(frame)["type"] == "accepted"


def test_a_question_that_a_killed_server_lost_is_asked_anew_and_the_visitor_is_told(visit, server):
    line = Accepting()
    page = visit(ignore=NOISE, prepare=line.prepare)
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)

    with transaction.atomic(), connection.cursor() as cursor:
        # The search waits for this, so that the server dies in the middle of its answer.
        cursor.execute("LOCK TABLE retrieval_chunk IN ACCESS EXCLUSIVE MODE")
        ask(page, LONG_DISEASES)
        expect(page.locator(".exchange")).to_have_count(2)
        while line.accepted < 2:
            page.wait_for_timeout(20)
        assert Message.objects.filter(state=Message.State.RUNNING).count() == 1
        server.process.kill()
        server.process.wait()
    line.holds = {"token", "answer"}
    server.start()

    expect(page.locator(".exchange").last).to_contain_text("We stellen ze opnieuw")
    line.release()
    expect(answers(page)).to_have_count(2)
    assert Message.objects.filter(state=Message.State.FAILED).count() == 1
    assert Message.objects.filter(state=Message.State.FINISHED).count() == 2


def test_a_socket_that_was_closed_for_want_of_questions_opens_again_at_the_next_key(visit):
    line = SilentLine()
    page = visit(prepare=line.prepare)
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)

    line.page_side.close(code=IDLE)
    page.wait_for_timeout(200)
    page.clock.fast_forward(2 * LONGEST_WAIT)
    page.wait_for_timeout(200)
    assert line.sockets == 1
    expect(page.locator("#connection")).to_be_hidden()
    ask(page, LONG_DISEASES)

    expect(answers(page)).to_have_count(2)
    assert line.sockets == 2
    assert Message.objects.count() == 2


def test_a_socket_at_another_path_is_a_page_that_is_not_there(server, address):
    said = len(server.log)
    line = socket.create_connection(("127.0.0.1", server.port))

    with pytest.raises(InvalidStatus, match="404"):
        connect(f"ws://{HOST}:{server.port}/ws/other/", sock=line, open_timeout=PATIENCE)

    assert "Traceback" not in server.log[said:]
