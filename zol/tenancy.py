"""Tenancy: the hospital being served and the acting user, per context.

A request, a socket, a task and a command each say it once, with `serving(hospital)` and
`acting(user)`. The database backend (`zol.postgres.base`) reads both before every statement and
tells PostgreSQL: row-level security does the rest, and triggers write down who edited each row that
a release carries. Nobody serving, nobody's rows: it fails closed. Nobody acting means the machine:
a load, a worker, a migration.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from zol.errors import NoHospital

_serving: ContextVar[int] = ContextVar("hospital", default=0)

#: The number of no hospital at all.
NOBODY = 0


class HasKey(Protocol):
    pk: int


def current_hospital_id() -> int:
    """Return the hospital being served, or `NOBODY`."""
    return _serving.get()


def required_hospital_id() -> int:
    """Return the hospital being served; there must be one."""
    if hospital_id := _serving.get():
        return hospital_id
    raise NoHospital("No hospital is being served here")


@contextmanager
def serving(hospital: HasKey | int) -> Iterator[None]:
    """Serve a hospital (the row or its number) until the block ends."""
    token = _serving.set(hospital if isinstance(hospital, int) else hospital.pk)
    try:
        yield
    finally:
        _serving.reset(token)


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
