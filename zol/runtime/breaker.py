"""Circuit breaker: pause requests to an endpoint after repeated failures."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

#: Failures in a row after which an endpoint is left alone, and for how many seconds.
MOST_FAILURES = 5
PAUSE = 30.0


class EndpointLeftAlone(Exception):
    """The endpoint failed several times in a row and is not asked for a while."""


class Breaker:
    """Counts an endpoint's failures in a row, for all threads; holds nothing while it is asked."""

    def __init__(self, name: str, *failures: type[Exception]) -> None:
        self.name = name
        #: What counts as a failure; after anything else the endpoint is known to answer.
        self._failures = failures
        self._lock = Lock()
        self._in_a_row = 0
        self._asked_again_at = 0.0

    def call(self, ask: Callable[[], T]) -> T:
        """Return what `ask` returns.

        :raises EndpointLeftAlone: when the endpoint is not asked now.
        """
        self.refuse_while_open()
        try:
            answer = ask()
        except self._failures:
            self.note_failure()
            raise
        except Exception:
            self.note_answer()
            raise
        self.note_answer()
        return answer

    def refuse_while_open(self) -> None:
        """Raise during the pause; after it, let one caller try and have the others wait on."""
        with self._lock:
            if self._in_a_row < MOST_FAILURES:
                return
            if monotonic() < self._asked_again_at:
                raise EndpointLeftAlone(f"{self.name} failed {self._in_a_row} times in a row")
            self._asked_again_at = monotonic() + PAUSE

    def note_failure(self) -> None:
        with self._lock:
            self._in_a_row += 1
            self._asked_again_at = monotonic() + PAUSE

    def note_answer(self) -> None:
        with self._lock:
            self._in_a_row = 0
