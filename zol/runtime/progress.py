"""Telling how far something is that takes long, to whoever follows it; to nobody otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_told: ContextVar[Callable[[str], None] | None] = ContextVar("told", default=None)


def tell(words: Any) -> None:
    """Say what is being done now."""
    if (told := _told.get()) is not None:
        told(str(words))


@contextmanager
def following(told: Callable[[str], None]) -> Iterator[None]:
    """Have `told` called with what is being done until the block ends."""
    token = _told.set(told)
    try:
        yield
    finally:
        _told.reset(token)
