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


class Hold:
    """A permit that a thread computes with."""

    def __init__(self) -> None:
        self.is_lent = self.is_over = False


class Permits:
    """So many permits, given in the order in which they were asked for. Safe for many threads.

    What has begun keeps its place, the thread that does it, also while it lends its permit: no more
    may begin than there are places.
    """

    def __init__(self, count: int, places: int) -> None:
        #: Fewer than none while more compute than should: who comes back does not wait.
        self._free, self._places = count, places
        self._queue: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()
        #: Called when one more may begin, by whoever made room. May not take long.
        self.on_left_over: Callable[[], object] | None = None
        #: What each thread holds.
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
            if self._queue and self.is_free:
                self._begin()
                go = self._queue.popleft()
        if go is not None:
            go()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Compute in this thread with a permit that was given, and give it back in the end."""
        hold = self._mine.hold = Hold()
        try:
            yield
        finally:
            self._mine.hold = None
            hold.is_over = True
            self._end(hold)

    def _end(self, hold: Hold) -> None:
        if hold.is_lent:
            # What is still lent was given back already: of an answer not read to its end.
            with self._lock:
                self._free -= 1
        self.give_back()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others compute while this thread waits for somebody else.

        It goes on at once when it comes back, and the next begins later for it: whoever computes
        meanwhile may wait for a lock that this thread holds, as a circuit breaker's. Without a
        permit (a command, a test) it does nothing.
        """
        hold: Hold | None = getattr(self._mine, "hold", None)
        if hold is None or hold.is_lent:
            yield
            return
        hold.is_lent = True
        self._pass_on(0)
        try:
            yield
        finally:
            # A generator that nobody read to its end may come back after all is over, anywhere.
            if not hold.is_over:
                hold.is_lent = False
                with self._lock:
                    self._free -= 1


#: The turns that one process may have begun; where there are models, most wait for one.
MOST_TURNS = max(8, 4 * (os.cpu_count() or 2) // web_processes())
#: Of this process: one turn computes, another asks the database.
computing = Permits(2, MOST_TURNS)
