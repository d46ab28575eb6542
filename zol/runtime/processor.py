"""CPU use of a process: limit concurrent turns, tune the garbage collector.

Python computes on one core a process: turns that share it all end late, turns that follow each
other end when their work is done. Whoever waits for somebody else (a model, a reranker) lets the
next one compute meanwhile.
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
    """A thread's permit to compute."""

    has_permit: bool = True
    is_over: bool = False


class Permits:
    """A semaphore whose permits can be lent while their thread waits for somebody else."""

    def __init__(self, count: int) -> None:
        self._free = threading.Semaphore(count)
        self._mine = threading.local()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Compute in this thread with a permit, and wait for it without a connection."""
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
        """Let another compute, with this thread's connection, while it waits for somebody else.

        It goes on at once when it comes back, also where no permit is left: whoever computes
        meanwhile may wait for a lock that this thread holds. Without a permit (a command, a test)
        it does nothing.
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
            # A generator that nobody read to its end may come back after all is over, anywhere.
            if not hold.is_over:
                hold.has_permit = self._free.acquire(blocking=False)


#: Of this process: one turn computes, another asks the database.
computing = Permits(2)


#: New values, and looks at the young, after which the next generation is looked through.
SELDOM = (20_000, 20, 50)


@contextmanager
def nothing_thrown_away(*, for_good: bool = False) -> Iterator[None]:
    """Build what stays without looking for garbage in it: a third to half of the time.

    Within another such block it changes nothing. `for_good`: nor is it looked through later.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if for_good:
            gc.freeze()
        if was_on:
            gc.enable()


def look_seldom() -> None:
    """Look for garbage seldom, in a process that answers: an answer makes thousands of small values
    and hardly ever a circle of them, and looking took a tenth of its time."""
    gc.set_threshold(*SELDOM)
