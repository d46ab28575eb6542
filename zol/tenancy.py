"""Tenancy: the hospital being served and the acting user, per context.

Each request, socket, task and command sets them once, with `serving(hospital)` and `acting(user)`.
The database backend (`zol.postgres.base`) passes both to PostgreSQL before every statement, for
row-level security and for triggers that record edits. Without a hospital no rows are visible.
Without an acting user an edit is recorded as automatic, such as that of a load or a worker.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from zol.errors import NoHospital

_serving: ContextVar[int] = ContextVar("hospital", default=0)

#: Id that stands for no hospital.
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
    """Serve a hospital (the row or its id) in the block."""
    token = _serving.set(hospital if isinstance(hospital, int) else hospital.pk)
    try:
        yield
    finally:
        _serving.reset(token)


_acting: ContextVar[int] = ContextVar("acting", default=0)


def acting_id() -> int:
    """Return the id of the acting user; 0 for none."""
    return _acting.get()


@contextmanager
def acting(user: Any) -> Iterator[None]:
    """Set the acting user (None: nobody) in the block."""
    token = _acting.set(user.pk or 0 if user is not None else 0)
    try:
        yield
    finally:
        _acting.reset(token)
