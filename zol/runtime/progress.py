"""Report the progress of long work to a follower, if there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_told: ContextVar[Callable[[str], None] | None] = ContextVar("told", default=None)


def tell(words: Any) -> None:
    """Report the present step."""
    if (told := _told.get()) is not None:
        told(str(words))


@contextmanager
def following(told: Callable[[str], None]) -> Iterator[None]:
    """Call `told` with each reported step until the block ends."""
    token = _told.set(told)
    try:
        yield
    finally:
        _told.reset(token)
