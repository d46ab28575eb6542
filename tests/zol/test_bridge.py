"""What nobody waits for is done beside the turn, and what goes wrong with it is told to the log."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from zol import bridge
from zol.bridge import ahead, emitted_by, quietly, soon
from zol.permits import Permits
from zol.tenancy import current_hospital_id, serving


def fail():
    raise RuntimeError("geen plaats meer")


def test_what_fails_afterwards_fails_quietly(caplog):
    quietly(fail)

    assert "geen plaats meer" in caplog.text


def test_it_is_done_in_a_thread_of_its_own_for_the_same_hospital():
    done, seen = threading.Event(), []

    def work():
        seen.append((threading.current_thread(), current_hospital_id()))
        done.set()

    with serving(7):
        soon(work)

    assert done.wait(30)
    assert seen[0][0] is not threading.current_thread()
    assert seen[0][1] == 7


async def test_what_came_while_the_reader_was_busy_is_joined():
    may_go_on = threading.Event()

    def work(emit):
        emit(1)
        may_go_on.wait(30)
        emit(2)
        emit(3)

    def joined(waiting):
        # Whoever reads is held up here: the thread emits the rest meanwhile.
        may_go_on.set()
        return [waiting]

    found = [each async for each in emitted_by(work, joined)]

    assert found[0] == [1]
    assert [one for each in found for one in each] == [1, 2, 3]


def test_what_is_begun_ahead_is_done_in_a_thread_with_a_permit_of_its_own(monkeypatch):
    permits = Permits(1, 1)
    monkeypatch.setattr(bridge, "computing", permits)
    seen = []

    begun = ahead(lambda: seen.append((threading.current_thread(), permits.is_free)) or "klaar")

    assert begun is not None
    assert begun.result(30) == "klaar"
    ((thread, was_free),) = seen
    assert thread is not threading.current_thread()
    assert not was_free
    assert permits.is_free


def test_nothing_is_begun_ahead_where_others_would_wait_for_it(monkeypatch):
    monkeypatch.setattr(bridge, "computing", Permits(0, 0))

    assert ahead(lambda: "klaar") is None


def test_what_fails_ahead_gives_its_permit_back_and_tells_nobody(monkeypatch):
    permits = Permits(1, 1)
    monkeypatch.setattr(bridge, "computing", permits)

    begun = ahead(fail)

    assert begun is not None
    assert isinstance(begun.exception(30), RuntimeError)
    assert permits.is_free


def test_a_process_that_ends_begins_nothing_ahead(monkeypatch):
    permits, ended = Permits(1, 1), ThreadPoolExecutor(1)
    ended.shutdown()
    monkeypatch.setattr(bridge, "computing", permits)
    monkeypatch.setattr(bridge, "threads", ended)

    assert ahead(lambda: "klaar") is None
    assert permits.is_free
