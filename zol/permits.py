"""How many turns compute at the same moment in one process.

Python computes on one core a process: turns that share it all end late, turns that follow each
other end when their work is done, in the order in which they came. Whoever waits for somebody else
(a model, a reranker) lets the next one compute meanwhile.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Permits:
    """So many permits, given in the order in which they were asked for. Safe for many threads."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._queue: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()
        #: Called when a permit is left over, by whoever gave it back. May not take long.
        self.on_left_over: Callable[[], object] | None = None
        #: Which threads hold one.
        self._mine = threading.local()

    def when_free(self, go: Callable[[], object], *, is_first: bool = False) -> None:
        """Call `go` with a permit, as soon as there is one: now, or by whoever gives one back.

        `go` must not take long; what it begins calls `held` where it computes.
        """
        with self._lock:
            if not self._free:
                (self._queue.appendleft if is_first else self._queue.append)(go)
                return
            self._free -= 1
        go()

    @property
    def is_free(self) -> bool:
        """Whether who asks now would not wait."""
        return self._free > 0

    def take(self) -> bool:
        """Take a permit if there is one; whoever computes with it says so by `held`."""
        with self._lock:
            is_taken = self._free > 0
            self._free -= is_taken
            return is_taken

    def give_back(self) -> None:
        with self._lock:
            go = self._queue.popleft() if self._queue else self.on_left_over
            self._free += go is self.on_left_over
        if go is not None:
            go()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Compute in this thread with a permit that was given, and give it back in the end."""
        self._mine.is_held = True
        try:
            yield
        finally:
            self._mine.is_held = False
            self.give_back()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others compute while this thread waits. It comes before those that have not begun.

        Without a permit (a command, a test) it does nothing.
        """
        if not getattr(self._mine, "is_held", False):
            yield
            return
        self._mine.is_held = False
        self.give_back()
        try:
            yield
        finally:
            mine = threading.Event()
            self.when_free(mine.set, is_first=True)
            mine.wait()
            self._mine.is_held = True


#: Of this process: one turn computes, another asks the database.
computing = Permits(2)
