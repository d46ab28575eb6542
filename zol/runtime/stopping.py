"""Stop a turn, and notify at once everything that waits on its behalf."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


class TurnStopped(Exception):
    """Raised in a turn that its visitor has stopped."""


class Stop:
    """Flag that a turn was stopped, with callbacks that are called when it is set."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_set = False
        self._callbacks: list[Callable[[], None]] = []

    def set(self) -> None:
        with self._lock:
            self._is_set = True
            callbacks = tuple(self._callbacks)
        for callback in callbacks:
            callback()

    def refuse(self) -> None:
        """Raise `TurnStopped` if the turn was stopped."""
        if self._is_set:
            raise TurnStopped

    @contextmanager
    def notifying(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call `callback` if the turn is stopped during the block, in whichever thread."""
        with self._lock:
            self._callbacks.append(callback)
        try:
            if self._is_set:
                callback()
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)


_stop: ContextVar[Stop | None] = ContextVar("stop", default=None)


def current_stop() -> Stop:
    """Return the stop flag of the current turn; outside of one, a new flag that stays unset."""
    return _stop.get() or Stop()


@contextmanager
def stopped_by(stop: Stop) -> Iterator[None]:
    """Make `stop` the current flag in the block."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)
