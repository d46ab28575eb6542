"""Circuit breaker: pause requests to an endpoint after repeated failures."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

#: Consecutive failures after which requests are paused, and the pause in seconds.
MOST_FAILURES = 5
PAUSE = 30.0


class EndpointLeftAlone(Exception):
    """Requests to the endpoint are paused after several failures in a row."""


class Breaker:
    """Counts consecutive failures of an endpoint, for all threads."""

    def __init__(self, name: str, *failures: type[Exception]) -> None:
        self.name = name
        #: Exceptions that count as failures; any other one shows that the endpoint answers.
        self._failures = failures
        self._lock = Lock()
        self._in_a_row = 0
        self._asked_again_at = 0.0

    def call(self, ask: Callable[[], T]) -> T:
        """Return what `ask` returns.

        :raises EndpointLeftAlone: while requests are paused.
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
        """Raise during the pause; after it, admit one caller and pause for the others again."""
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
