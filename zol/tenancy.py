"""Which hospital is being served.

A request, a socket, a task and a command each say it once, with `serving(hospital)`. The
database backend (`zol.postgres.base`) reads it before every statement and tells PostgreSQL, whose
row-level security does the rest. Nobody serving, nobody's rows: it fails closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

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
