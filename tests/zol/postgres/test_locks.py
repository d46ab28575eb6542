"""Locks are held on separate connections, and that of the process is taken again when lost."""

import threading

import pytest
from django.db import connections

from zol.postgres.locks import TAKE, held, process_lock
from zol.runtime.processes import wait_until


@pytest.fixture(autouse=True)
def away(mini):
    process_lock.release()
    yield
    process_lock.release()


def is_free_for_others(name):
    """Say whether another process could take a lock."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(TAKE, [name])
        is_free = cursor.fetchone()[0]
        cursor.execute("SELECT pg_advisory_unlock_all()")
    return is_free


def test_a_lock_is_held_against_other_processes_and_threads():
    found = []

    def another():
        with held("one") as is_mine:
            found.append(is_mine)

    with held("one") as is_mine:
        thread = threading.Thread(target=another)
        thread.start()
        thread.join()
        assert (is_mine, found) == (True, [False])
        assert not is_free_for_others("one")
    assert is_free_for_others("one")


def test_no_connection_of_a_turn_is_kept_for_it():
    connections["default"].close()

    with held("one"):
        assert connections["default"].connection is None


def test_a_process_holds_one_lock_for_as_long_as_it_lives_and_takes_it_again_when_it_was_lost():
    mine = process_lock.hold()
    with held(mine) as is_mine:
        assert not is_mine
    assert not is_free_for_others(mine)

    process_lock.release()

    # PostgreSQL ends a connection a moment after it was closed.
    assert wait_until(lambda: is_free_for_others(mine), 10.0)
    assert process_lock.hold() == mine
    assert not is_free_for_others(mine)
