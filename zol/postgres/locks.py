"""Database locks: edits against publishing, and liveness of processes.

An edit holds a shared lock of its hospital until it is committed; freezing a draft takes the
exclusive one (`wait_for_edits`). So what is frozen is exactly what was committed before, and its
edits are exactly those with a number up to the last one there is.

The server releases a session lock (`held`, `ProcessLock`) as soon as its holder is gone, also after
kill -9. So work that is marked as running but whose lock is free was abandoned, which is known
without a time-out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from threading import Lock
from typing import Any
from uuid import uuid4

import psycopg
from django.db import connection, connections

from zol.postgres.pool import is_alive

#: The first half of the advisory locks' keys; the second is the hospital.
DRAFT, PUBLISHING = 7411, 7412

RECORD_EDIT = f"""
CREATE OR REPLACE FUNCTION zol_record_edit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    served bigint := NULLIF(NULLIF(current_setting('zol.hospital', true), ''), '0')::bigint;
    editor bigint := NULLIF(NULLIF(current_setting('zol.user', true), ''), '0')::bigint;
    source text := CASE TG_OP WHEN 'DELETE' THEN 'old_rows' ELSE 'new_rows' END;
    -- Rows of no hospital are the product's, and nobody's edit.
    shared jsonb := '{{"hospital_id": null}}';
    touched bigint[];
BEGIN
    IF served IS NULL THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        EXECUTE format(
            'SELECT array_agg(n.%1$I) FROM new_rows n JOIN old_rows o ON n.%1$I = o.%1$I '
            'WHERE n::text IS DISTINCT FROM o::text AND to_jsonb(n) @> %2$L IS NOT TRUE',
            TG_ARGV[1], shared
        ) INTO touched;
    ELSE
        EXECUTE format(
            'SELECT array_agg(%I) FROM %I n WHERE to_jsonb(n) @> %L IS NOT TRUE',
            TG_ARGV[1], source, shared
        ) INTO touched;
    END IF;
    IF touched IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock_shared({DRAFT}, served::int);
        INSERT INTO zol_edit (hospital_id, row_set, rows, action, by_id)
        VALUES (served, TG_ARGV[0], touched, TG_OP, editor);
    END IF;
    RETURN NULL;
END $$
"""


def wait_for_edits(hospital_id: int) -> None:
    """Wait for uncommitted edits, and block new ones until the transaction ends."""
    _lock(DRAFT, hospital_id)


def publish_alone(hospital_id: int) -> None:
    """Hold the lock for steps of releases of this hospital until the transaction ends."""
    _lock(PUBLISHING, hospital_id)


def _lock(what: int, hospital_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [what, hospital_id])


def take_turns(name: str, using: str = "default") -> None:
    """Hold the lock of a name until the transaction ends."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


TAKE = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"


def connect() -> psycopg.Connection[Any]:
    """Open a connection outside Django and its pool."""
    with connections["default"].wrap_database_errors:
        return psycopg.connect(**connections["default"].get_connection_params(), autocommit=True)


@contextmanager
def held(name: str) -> Iterator[bool]:
    """Hold a lock in the block, on a separate connection; yields False if it is held elsewhere."""
    with closing(connect()) as session:
        row = session.execute(TAKE, [name]).fetchone()
        try:
            yield bool(row and row[0])
        finally:
            with suppress(psycopg.Error):  # Closing the connection would release it a moment later.
                session.execute("SELECT pg_advisory_unlock_all()")


class ProcessLock:
    """The lock that this process holds while it runs, by which others see that it does."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._pid, self._name = 0, ""
        self._session: psycopg.Connection[Any] | None = None

    def hold(self) -> str:
        """Return the name of the lock; it is taken again if its connection was lost."""
        with self._mutex:
            if self._pid != os.getpid():
                self._pid, self._session = os.getpid(), None
                self._name = f"zol.process.{uuid4().hex}"
            if self._session is None or not is_alive(self._session):
                self._session = connect()
                self._session.execute(TAKE, [self._name])
            return self._name

    def release(self) -> None:
        with self._mutex:
            if self._session is not None:
                self._session.close()


process_lock = ProcessLock()
