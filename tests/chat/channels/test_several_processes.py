"""Two web processes at one port: a visitor cannot tell them from one."""

import json
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import psutil
import psycopg
import pytest
import urllib3
from django.db import connections
from websockets.sync.client import connect

from retrieval import services
from retrieval.models import Document
from taxonomy.models import Department
from taxonomy.publishing import going_live
from taxonomy.publishing.live import POINTER_LIFETIME
from tests.answering import HOST, forget_conversations
from tests.chat.server import Servers
from tests.databases import databases
from tests.taxonomy.releases import approved, approver
from zol.runtime import processes

pytestmark = pytest.mark.slow

QUESTION = "Wat zijn de bezoekuren op B3?"
PARKING = "https://www.azm-mini.example/praktisch/bereikbaarheid"
#: Seconds for whatever has to happen; machines of test runs are slow and shared.
LONGEST = 300.0
#: How PostgreSQL knows the connections of the servers.
NAME = "zol-under-test"
#: Connections of one web process between requests, all its threads together.
MOST = 16
#: Enough sockets for each process to get some.
MANY = 24


@pytest.fixture(scope="module")
def servers(django_db_setup, django_db_blocker, tmp_path_factory):
    with django_db_blocker.unblock():
        made = Servers(tmp_path_factory.mktemp("servers"), WEB_PROCESSES="2", PGAPPNAME=NAME)
    yield made
    made.stop()
    # It has another version now than the one that tests expect.
    databases.spoil()


@pytest.fixture
def served(servers, mini):
    """The web processes, with the small hospital; nobody has asked anything yet."""
    if servers.process is None:
        servers.start()
    forget_conversations()
    yield servers
    forget_conversations()
    connections.close_all()


class Line:
    """A visitor's socket, and the web process at its other end."""

    def __init__(self, servers, line):
        self.line = line
        self.process = next(web for web in servers.web if peer_of(line) in peers_of(web))

    def tell(self, **frame):
        self.line.send(json.dumps(frame))

    def until(self, *kinds):
        while (frame := json.loads(self.line.recv(timeout=LONGEST)))["type"] not in kinds:
            pass
        return frame

    def ask(self, question=QUESTION):
        self.tell(type="ask", question=question, language="nl")
        return self.until("answer", "error")


def peer_of(line):
    return line.socket.getsockname()[1]


def peers_of(process):
    return [found.raddr.port for found in process.net_connections("tcp") if found.raddr]


@contextmanager
def one_line_each(servers):
    """Open sockets until each process holds one; give one of each."""
    found = {}
    with ExitStack() as opened:
        for _ in range(MANY):
            line = Line(servers, opened.enter_context(line_to(servers)))
            found.setdefault(line.process.pid, line)
            if len(found) == 2:
                break
        assert len(found) == 2, "One process took every visitor"
        yield tuple(found.values())


def line_to(servers):
    origin = f"http://{HOST}:{servers.port}"
    return connect(
        f"ws://{HOST}:{servers.port}/ws/chat/", origin=origin, open_timeout=LONGEST,
        sock=socket.create_connection(("127.0.0.1", servers.port), timeout=LONGEST),
    )  # fmt: skip


def test_both_give_the_answer_and_what_one_gave_the_other_remembers(served):
    with one_line_each(served) as (one, other):
        first, second = one.ask(), other.ask()

    assert first["type"] == "answer"
    assert not first["cached"]
    assert second["cached"]
    assert second["text"] == first["text"]


def test_what_was_published_is_answered_by_both_and_what_was_remembered_by_none(served, mini):
    question = "Wat is het telefoonnummer van Longziekten?"
    with one_line_each(served) as (one, other):
        old = [line.ask(question)["text"] for line in (one, other, one)]
        Department.objects.filter(name="Longziekten").update(phone="089 11 22 33")
        going_live.publish_release(approved(mini, "Phone"), by=approver(mini))
        # For a quarter of a second a process may believe that nothing was published.
        time.sleep(2 * POINTER_LIFETIME)
        new = [line.ask(question)["text"] for line in (one, other)]

    assert not any("089 11 22 33" in text for text in old)
    assert all("089 11 22 33" in text for text in new)


def test_a_withdrawn_page_is_out_of_search_memory_and_sources_of_both_within_five_seconds(
    served, mini
):
    question, page = "Hoeveel kost parkeren met de auto?", Document.objects.filter(url=PARKING)
    with one_line_each(served) as lines:
        before = [line.ask(question) for line in (*lines, *lines)]
        services.withdraw(mini, list(page))
        deadline = time.monotonic() + 5
        while any(PARKING in str(after := line.ask(question)) for line in lines):
            assert time.monotonic() < deadline, after
            time.sleep(0.2)
        after = [line.ask(question) for line in lines]
    page.update(status=Document.Status.READY)
    services.bump_revision(mini.pk)

    assert all(each["cached"] and PARKING in str(each["citations"]) for each in before[1:])
    assert not any(PARKING in str(each) or "1,50" in each["text"] for each in after)


def server_parameters():
    owner = connections["owner"].get_connection_params()
    wanted = ("host", "port", "user", "password", "dbname")
    return {key: owner[key] for key in wanted if owner.get(key)}


@contextmanager
def watched():
    """Yield a list to which the number of connections is added all the time."""
    counts, is_over = [], threading.Event()
    with psycopg.connect(**server_parameters(), autocommit=True) as line:

        def look():
            while not is_over.wait(0.02):
                row = line.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [NAME]
                ).fetchone()
                counts.append(row[0])

        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield counts
        finally:
            is_over.set()
            looking.join()


def view_pages(servers, count, *, at_once):
    """Look at the chat's page so many times; return how often each status came."""
    pool = urllib3.PoolManager(maxsize=at_once, block=False, retries=False, timeout=LONGEST)

    def view(_):
        address = f"http://127.0.0.1:{servers.port}/"
        return pool.request("GET", address, headers={"Host": HOST}).status

    with ThreadPoolExecutor(max_workers=at_once) as visitors:
        return Counter(visitors.map(view, range(count)))


def test_page_views_leave_no_connection_open(served):
    with watched() as counts:
        statuses = view_pages(served, 300, at_once=50)

    assert statuses == {200: 300}
    assert 0 < max(counts) <= 2 * MOST


def test_a_conversation_goes_on_with_the_other_when_its_process_is_killed(served):
    with one_line_each(served) as (one, other):
        one.tell(type="ask", question=QUESTION, language="nl")
        names = one.until("accepted")
        said = one.until("answer")
        killed, deaths = one.process.pid, deaths_told(served)
        one.process.kill()
        one.process.wait(LONGEST)

        again = {key: names[key] for key in ("conversation", "secret")}
        other.tell(type="resume", **again)
        resumed = other.until("resumed")

    assert [message["text"] for message in resumed["messages"]] == [said["text"]]
    # Whoever comes meanwhile is taken by the one that is left; the dead one is started again.
    with line_to(served) as line:
        assert Line(served, line).ask()["type"] == "answer"
    assert processes.wait_until(lambda: deaths_told(served) == deaths + 1, LONGEST)
    assert processes.wait_until(lambda: both_take_visitors(served, killed), LONGEST)


def deaths_told(servers):
    return servers.log.count("stopped (status -9)")


def both_take_visitors(servers, killed):
    if killed in [web.pid for web in servers.web] or len(servers.web) < 2:
        return False
    try:
        with one_line_each(servers):
            return True
    except (AssertionError, StopIteration):
        return False


def test_forgetting_at_one_forgets_at_the_other(served):
    with one_line_each(served) as (one, other):
        one.tell(type="ask", question=QUESTION, language="nl")
        names = one.until("accepted")
        one.until("answer")
        one.tell(type="forget")
        one.until("forgotten")

        other.tell(type="resume", **{key: names[key] for key in ("conversation", "secret")})

        assert other.until("resumed", "error")["code"] == "unknown_conversation"


def test_asked_to_end_they_finish_the_answers_that_they_give_and_leave_nobody_behind(served):
    everyone = served.web
    with one_line_each(served) as lines:
        for line in lines:
            line.tell(type="ask", question="Wie werkt er op Longziekten?", language="nl")
            line.until("accepted")
        served.process.terminate()
        answers = [line.until("answer", "error") for line in lines]
    status = served.process.wait(timeout=LONGEST)
    served.process = None

    assert [answer["type"] for answer in answers] == ["answer", "answer"]
    assert status == 0
    assert not any(psutil.pid_exists(web.pid) for web in everyone)
