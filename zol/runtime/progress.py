"""Report the progress of long work to a callback, if one is set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_callback: ContextVar[Callable[[str], None] | None] = ContextVar("callback", default=None)


def report(words: Any) -> None:
    """Report the current step."""
    if (callback := _callback.get()) is not None:
        callback(str(words))


@contextmanager
def following(callback: Callable[[str], None]) -> Iterator[None]:
    """Call `callback` with each reported step until the block ends."""
    token = _callback.set(callback)
    try:
        yield
    finally:
        _callback.reset(token)
