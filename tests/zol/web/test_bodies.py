"""Large requests are refused before they use memory, and delay nobody else."""

import json
import socket
import threading
import time
from contextlib import closing
from http.client import HTTPConnection

import psutil
import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from websockets.sync.client import connect

from tests.answering import HOST
from zol.web.bodies import MOST

LARGE = 400 * 1024**2
HEAD = f"POST {{path}} HTTP/1.1\r\nHost: {HOST}\r\n{{more}}\r\n"
PIECE = b"x" * 65_536


def send(server, path, *, size, chunked=False, more="", keep=lambda: True):
    """Send a body piece by piece as long as it is taken; return the answer and what was sent."""
    length = "Transfer-Encoding: chunked\r\n" if chunked else f"Content-Length: {size}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(HEAD.format(path=path, more=length + more).encode())
        sent, answer = 0, b""
        line.settimeout(0.02)
        while sent < size and not answer and keep():
            piece = PIECE[: size - sent]
            try:
                line.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
                sent += len(piece)
                answer = line.recv(65_536)
            except TimeoutError:
                continue
            except OSError:
                break
        line.settimeout(20)
        try:
            if not answer:
                line.sendall(b"0\r\n\r\n" if chunked else b"")
                answer = line.recv(65_536)
        except OSError:
            pass
        return answer, sent


def status(answer):
    return int(answer.split()[1]) if answer else 0


@pytest.mark.parametrize(
    ("path", "chunked"), [("/api/v1/chat/", False), ("/zoek", True), ("/admin/login/", False)]
)
def test_a_body_that_is_too_large_is_refused_in_words_before_it_is_there(server, path, chunked):
    answer, sent = send(server, path, size=LARGE, chunked=chunked, more="Accept-Language: nl\r\n")

    assert status(answer) == 413
    assert sent < 2 * MOST + 1_000_000
    if path.startswith("/api/"):
        assert json.loads(answer.split(b"\r\n\r\n", 1)[1])["code"] == "too_large"
    else:
        assert "er is niets bewaard" in answer.decode()


def test_a_session_that_is_nobodys_lets_no_file_pass(server):
    answer, sent = send(
        server, "/admin/retrieval/document/add/", size=LARGE // 4, more="Cookie: sessionid=x\r\n"
    )

    assert status(answer) == 413
    assert sent < 4 * MOST


def test_a_file_of_somebody_who_is_signed_in_passes(server, mini):
    user = get_user_model().objects.create_superuser("bodies", password="x")
    client = Client()
    client.force_login(user)
    cookie = f"Cookie: sessionid={client.cookies['sessionid'].value}\r\n"

    answer, sent = send(server, "/admin/login/", size=5 * MOST, more=cookie)

    assert sent == 5 * MOST
    assert status(answer) in {
        302,
        403,
    }  # As any form without its token: it was read, and looked at.


def test_a_body_up_to_the_limit_is_looked_at(server):
    answer, _sent = send(server, "/api/v1/chat/", size=MOST - 10)

    assert status(answer) not in {0, 413}


@pytest.mark.slow
@pytest.mark.alone
def test_ten_bodies_of_400_mb_at_once_keep_nobody_waiting(server, mini):
    process = psutil.Process(server.process.pid)
    _visit(server)
    before, going = process.memory_info().rss, True
    answers = []
    senders = [
        threading.Thread(
            target=lambda n=n: answers.append(
                send(server, "/api/v1/chat/", size=LARGE, chunked=bool(n % 2))[0]
            )
        )
        for n in range(10)
    ]
    most = [before]

    def watch():
        while going:
            most.append(process.memory_info().rss)
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    for thread in (watcher, *senders):
        thread.start()

    seconds = _visit(server)

    for thread in senders:
        thread.join()
    going = False
    watcher.join()
    assert max(seconds.values()) <= 1, seconds
    assert max(most) - before <= 20 * 1024**2
    assert [status(answer) for answer in answers if answer] == [413] * len(
        list(filter(None, answers))
    )


def _visit(server):
    """Return the seconds of a page, a probe and an answer of somebody else."""
    seconds = {}
    for path in ("/", "/health/live"):
        started = time.monotonic()
        with closing(HTTPConnection("127.0.0.1", server.port)) as line:
            line.request("GET", path, headers={"Host": HOST})
            assert line.getresponse().status == 200
        seconds[path] = time.monotonic() - started
    started = time.monotonic()
    line = socket.create_connection(("127.0.0.1", server.port))
    with connect(f"ws://{HOST}/ws/chat/", sock=line) as chat:
        chat.send(
            json.dumps({"type": "ask", "question": "Wat zijn de bezoekuren?", "language": "nl"})
        )
        while json.loads(chat.recv(timeout=60))["type"] != "answer":
            pass
    seconds["chat"] = time.monotonic() - started
    return seconds
