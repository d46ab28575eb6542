"""What nobody waits for is done beside the turn, and what goes wrong with it is told to the log."""

from __future__ import annotations

import threading

from zol.bridge import quietly, soon
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
