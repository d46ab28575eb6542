"""How many turns compute at the same moment in one process.

Python computes on one core a process: turns that share it all end late, turns that follow each
other end when their work is done, in the order in which they came. Whoever waits for somebody else
(a model, a reranker) lets the next one compute meanwhile.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from zol.web.count import web_processes


class Permits:
    """So many permits, given in the order in which they were asked for. Safe for many threads.

    What has begun keeps its place, the thread that does it, also while it lends its permit: no more
    may begin than there are places, or those that come back would wait for ever for permits of
    those that cannot begin.
    """

    def __init__(self, count: int, places: int) -> None:
        self._free, self._places = count, places
        self._queue: deque[Callable[[], object]] = deque()
        #: Those that lent their permit and want one again come first.
        self._returning: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()
        #: Called when one more may begin, by whoever made room. May not take long.
        self.on_left_over: Callable[[], object] | None = None
        #: Which threads hold one.
        self._mine = threading.local()

    def when_free(self, go: Callable[[], object]) -> None:
        """Call `go` with a permit, as soon as it may begin: now, or by whoever makes room.

        `go` must not take long; what it begins calls `held` where it computes.
        """
        with self._lock:
            if not self.is_free:
                self._queue.append(go)
                return
            self._begin()
        go()

    @property
    def is_free(self) -> bool:
        """Whether who asks now would not wait."""
        return self._free > 0 and self._places > 0

    def take(self) -> bool:
        """Take a permit if there is one; whoever computes with it says so by `held`."""
        with self._lock:
            if not self.is_free:
                return False
            self._begin()
            return True

    def give_back(self) -> None:
        """Give a permit back for good, and the place."""
        self._pass_on(1)

    def _begin(self) -> None:
        self._free -= 1
        self._places -= 1

    def _pass_on(self, places: int) -> None:
        """Give the permit to whoever comes next, and as many places back."""
        with self._lock:
            self._free += 1
            self._places += places
            go = self.on_left_over if self.is_free else None
            if self._returning:
                self._free -= 1
                go = self._returning.popleft()
            elif self._queue and self.is_free:
                self._begin()
                go = self._queue.popleft()
        if go is not None:
            go()

    def _come_back(self, go: Callable[[], object]) -> None:
        with self._lock:
            if not self._free:
                self._returning.append(go)
                return
            self._free -= 1
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
        self._pass_on(0)
        try:
            yield
        finally:
            mine = threading.Event()
            self._come_back(mine.set)
            mine.wait()
            self._mine.is_held = True


#: The turns that one process may have begun; where there are models, most wait for one.
MOST_TURNS = max(8, 4 * (os.cpu_count() or 2) // web_processes())
#: Of this process: one turn computes, another asks the database.
computing = Permits(2, MOST_TURNS)
