"""A pooled connection keeps nothing of its last user, and waiting threads hold none."""

import threading
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import psycopg
import pytest
from django.db import OperationalError, connection, connections

from taxonomy.models import Department
from zol.postgres import pool
from zol.postgres.pool import hand_back, share_connections
from zol.runtime.processor import Permits
from zol.tenancy import acting_id, serving

#: Connections of the pool under test.
MOST = 2


@pytest.fixture
def pooled(mini, monkeypatch):
    """This process with a pool, as a web process has one."""
    monkeypatch.setattr(pool, "MOST_SHARED", MOST)
    default = connections.settings["default"]
    before = {**default, "OPTIONS": dict(default["OPTIONS"])}
    connections.close_all()
    share_connections()
    yield
    connections.close_all()
    connections["default"].close_pool()
    default.update(before)


def pid():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def told():
    """Return what the next connection of the pool still knows: its process, hospital and user."""
    raw = connection.pool.getconn()
    try:
        return raw.execute(
            "SELECT pg_backend_pid(), current_setting('zol.hospital'), current_setting('zol.user')"
        ).fetchone()
    finally:
        raw.rollback()
        connection.pool.putconn(raw)


def test_a_connection_that_was_handed_back_knows_no_hospital(pooled, mini):
    with serving(mini):
        assert Department.objects.exists()
        used = pid()
        hand_back()

    assert told() == (used, "", "")


@pytest.mark.parametrize("fails", [False, True], ids=["open", "failed"])
def test_nor_one_that_was_handed_back_in_a_transaction(pooled, mini, fails):
    with serving(mini):
        connection.set_autocommit(False)
        used = pid()
        if fails:
            with pytest.raises(psycopg.Error):
                connection.connection.execute("SELECT 1 / 0")
        connection.close()

    assert told() == (used, "", "")


def test_who_takes_it_next_sees_only_rows_of_their_own_hospital(pooled, mini):
    with serving(mini):
        assert Department.objects.exists()
        used = pid()
        hand_back()
    with serving(mini.pk + 1):
        assert not Department.objects.exists()
        assert pid() == used
    assert acting_id() == 0


def test_threads_take_turns_with_the_connections_that_there_are(pooled, mini):
    used, together = set(), threading.Barrier(20)

    def view(_):
        together.wait(30)
        with serving(mini):
            used.add(pid())
            hand_back()

    with ThreadPoolExecutor(max_workers=20) as visitors:
        list(visitors.map(view, range(20)))

    assert 1 <= len(used) <= MOST


def test_who_waits_for_a_model_or_a_permit_holds_no_connection(pooled, mini):
    permits = Permits(1)

    def free():
        stats = connection.pool.get_stats()
        return stats["pool_available"] == stats["pool_size"]

    with serving(mini), permits.held():
        pid()
        assert not free()
        with permits.lent():
            assert free()
        pid()
        waiting = threading.Event()

        def another():
            with serving(mini):
                pid()
                waiting.set()
                with permits.held():
                    hand_back()

        thread = threading.Thread(target=another)
        thread.start()
        assert waiting.wait(30)
        hand_back()
        deadline = monotonic() + 30
        while not free():
            assert monotonic() < deadline
    thread.join()


def test_connections_that_died_in_the_pool_are_replaced_at_once(pooled, mini):
    with serving(mini):
        dead = pid()
        hand_back()
        with connections["owner"].cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [dead])
        started = monotonic()

        assert pid() != dead
        assert monotonic() - started < 2
        hand_back()


def test_a_database_that_is_away_is_told_at_once_to_all_who_wait_and_is_found_again(pooled, mini):
    default = connections.settings["default"]
    real = default["HOST"], default["PORT"]
    default.update(HOST="127.0.0.1", PORT="1")
    together, started = threading.Barrier(8), monotonic()

    def view(_):
        together.wait(30)
        with pytest.raises(OperationalError):
            pid()

    with ThreadPoolExecutor(max_workers=8) as visitors:
        list(visitors.map(view, range(8)))
    assert monotonic() - started < 5
    default.update(HOST=real[0], PORT=real[1])
    connections["default"].close_pool()  # It was made for the other port.

    with serving(mini):
        assert pid()
        hand_back()
    assert monotonic() - started < 6
