"""CPU use of a process: limit concurrent turns, tune the garbage collector.

A Python process computes on one core: turns that run in turn end sooner, on average, than turns
that share it. While a turn waits for another service (a model, a reranker), the next one computes.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from zol.postgres.pool import hand_back


@dataclass(slots=True)
class ThreadPermit:
    """State of a thread's permit."""

    has_permit: bool = True
    is_over: bool = False


class Permits:
    """A semaphore whose permits can be lent while their thread waits for another service."""

    def __init__(self, count: int) -> None:
        self._free = threading.Semaphore(count)
        self._mine = threading.local()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold a permit in this thread; while it waits for one, it holds no connection."""
        if not self._free.acquire(blocking=False):
            hand_back()
            self._free.acquire()
        hold = self._mine.hold = ThreadPermit()
        try:
            yield
        finally:
            self._mine.hold, hold.is_over = None, True
            if hold.has_permit:
                self._free.release()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Lend permit and connection to another thread while this one waits for another service.

        Afterwards it goes on at once, even if no permit is free: the other thread may wait for a
        lock that this one holds. Without a permit (in a command or a test) this does nothing.
        """
        hand_back()
        hold: ThreadPermit | None = getattr(self._mine, "hold", None)
        if hold is None or not hold.has_permit:
            yield
            return
        hold.has_permit = False
        self._free.release()
        try:
            yield
        finally:
            # An abandoned generator may be closed after the turn, in any thread.
            if not hold.is_over:
                hold.has_permit = self._free.acquire(blocking=False)


#: Permits of this process: one turn computes while another one queries the database.
computing = Permits(2)


#: Thresholds of the three generations of the garbage collector.
SELDOM = (20_000, 20, 50)


@contextmanager
def gc_paused(*, freeze: bool = False) -> Iterator[None]:
    """Pause the garbage collector while long-lived objects are built: saves a third to half.

    With `freeze` it never examines the objects later either. Blocks can be nested.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if freeze:
            gc.freeze()
        if was_on:
            gc.enable()


def collect_seldom() -> None:
    """Run the garbage collector rarely: it took a tenth of the time of an answer, which makes many
    small objects and hardly any reference cycles."""
    gc.set_threshold(*SELDOM)
