"""Web processes share a bounded number of connections between requests."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
import urllib3
from django.db import connections

from tests.answering import HOST
from tests.chat.server import LONGEST, Servers

pytestmark = pytest.mark.slow

#: How PostgreSQL knows the connections of the servers under test.
NAME = "zol-under-test"
WEB_PROCESSES = 2
#: Connections of one web process, all its threads together.
MOST = 16


@pytest.fixture
def served(mini, tmp_path):
    servers = Servers(tmp_path, WEB_PROCESSES=str(WEB_PROCESSES), PGAPPNAME=NAME)
    servers.start()
    yield servers
    servers.stop()


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
    assert 0 < max(counts) <= WEB_PROCESSES * MOST
