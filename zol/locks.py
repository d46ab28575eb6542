"""Locks of the database session: whoever holds one is alive.

The server gives a lock back the moment its holder is gone, also after kill -9, so what is
"being done" and whose lock is free is known to be abandoned, without waiting for a time-out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def held(name: str) -> Iterator[bool]:
    """Hold a lock while the block runs; False when somebody else holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
        is_mine = bool(cursor.fetchone()[0])
    try:
        yield is_mine
    finally:
        if is_mine:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])
