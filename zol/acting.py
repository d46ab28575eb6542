"""Who of the staff is acting.

A request, a staff API call and a command say it once, with `acting(user)`. The database backend
tells PostgreSQL, whose triggers write down who edited each row that a release carries.
Nobody acting means the machine: a load, a worker, a migration.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_acting: ContextVar[int] = ContextVar("acting", default=0)


def acting_id() -> int:
    """Return the number of the user who acts; 0 for the machine."""
    return _acting.get()


@contextmanager
def acting(user: Any) -> Iterator[None]:
    """Let a user (or nobody: None) be the one who acts until the block ends."""
    token = _acting.set(user.pk or 0 if user is not None else 0)
    try:
        yield
    finally:
        _acting.reset(token)
