"""How many turns compute at the same moment in one process.

Python computes on one core a process: turns that share it all end late, turns that follow each
other end when their work is done. Whoever waits for somebody else (a model, a reranker) lets the
next one compute meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Hold:
    """What a thread computes with."""

    has_permit: bool = True
    is_over: bool = False


class Permits:
    """A semaphore whose permits can be lent while their thread waits for somebody else."""

    def __init__(self, count: int) -> None:
        self._free = threading.Semaphore(count)
        self._mine = threading.local()

    def take(self) -> bool:
        """Take a permit if there is one; whoever computes with it says so by `held`."""
        return self._free.acquire(blocking=False)

    def give_back(self) -> None:
        """Give back a permit that was taken for nothing."""
        self._free.release()

    @contextmanager
    def held(self, *, is_taken: bool = False) -> Iterator[None]:
        """Compute in this thread with a permit, and wait for it unless it `is_taken`."""
        if not is_taken:
            self._free.acquire()
        hold = self._mine.hold = Hold()
        try:
            yield
        finally:
            self._mine.hold, hold.is_over = None, True
            if hold.has_permit:
                self._free.release()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let another compute while this thread waits for somebody else.

        It goes on at once when it comes back, also where no permit is left: whoever computes
        meanwhile may wait for a lock that this thread holds, as a circuit breaker's. Without a
        permit (a command, a test) it does nothing.
        """
        hold: Hold | None = getattr(self._mine, "hold", None)
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
