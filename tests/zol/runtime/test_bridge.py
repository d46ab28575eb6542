"""Background work runs beside the turn, and its failures are logged."""

import asyncio
import threading

import pytest

from zol.runtime import bridge
from zol.runtime.bridge import Full, emitted_by, quietly, refuse_when_full, soon, turn_here
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


async def test_who_comes_when_too_many_wait_is_sent_away_and_the_next_is_taken(monkeypatch):
    monkeypatch.setattr(bridge, "room", threading.BoundedSemaphore(2))
    may_end = threading.Event()

    async def asked():
        return [each async for each in emitted_by(lambda emit: may_end.wait(30) and emit("klaar"))]

    waiting = [asyncio.create_task(asked()) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Full):
        await asked()
    with pytest.raises(Full), turn_here():
        pass
    with pytest.raises(Full):
        refuse_when_full()
    may_end.set()

    assert await asyncio.gather(*waiting) == [["klaar"], ["klaar"]]
    assert await asked() == ["klaar"]


async def test_a_turn_that_fails_leaves_its_room_to_the_next(monkeypatch):
    monkeypatch.setattr(bridge, "room", threading.BoundedSemaphore(1))

    for _ in range(2):
        with pytest.raises(RuntimeError, match="geen plaats meer"):
            [each async for each in emitted_by(lambda emit: fail())]
