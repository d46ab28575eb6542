"""Stop a turn: notify everything that waits on its behalf at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


class TurnStopped(Exception):
    """Raised where a turn would go on, once its visitor has stopped it."""


class Stop:
    """Whether a turn was stopped; it tells all who asked to be told."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_set = False
        self._told: list[Callable[[], None]] = []

    def set(self) -> None:
        with self._lock:
            self._is_set = True
            told = tuple(self._told)
        for tell in told:
            tell()

    def refuse(self) -> None:
        """Raise `TurnStopped` where the turn was stopped."""
        if self._is_set:
            raise TurnStopped

    @contextmanager
    def telling(self, tell: Callable[[], None]) -> Iterator[None]:
        """Have `tell` called when the turn is stopped during the block, in whichever thread."""
        with self._lock:
            self._told.append(tell)
        try:
            if self._is_set:
                tell()
            yield
        finally:
            with self._lock:
                self._told.remove(tell)


_stop: ContextVar[Stop | None] = ContextVar("stop", default=None)


def current_stop() -> Stop:
    """Return what stops the turn of this thread; a new one, which nobody sets, where none does."""
    return _stop.get() or Stop()


@contextmanager
def stopped_by(stop: Stop) -> Iterator[None]:
    """Let what is begun in the block be stopped by `stop`."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)
