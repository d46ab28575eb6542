"""Database locks: edits against publishing, and liveness of processes.

An edit holds a shared lock of its hospital until it is committed; freezing a draft takes the
exclusive one (`wait_for_edits`). So what is frozen is exactly what was committed before, and its
edits are exactly those with a number up to the last one there is.

A session lock (`held`) is released by the server as soon as its holder is gone, also after kill -9.
So work that is marked as running but whose lock is free was abandoned, which is known without a
time-out. All session locks of a process are on one connection outside the pool.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any
from uuid import uuid4

import psycopg
from django.db import connection, connections

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
    """Wait until no edit is uncommitted, and hold off new ones until the transaction ends."""
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
GIVE_BACK = "SELECT pg_advisory_unlock(hashtextextended(%s, 0))"


class LockKeeper:
    """Holds the session locks of this process on one connection, for all its threads."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._names: set[str] = set()
        #: Process id, and name of the lock that stands for this process.
        self._own: tuple[int, str] = (0, "")
        self._line: psycopg.Connection[Any] | None = None
        #: Process and database of the connection.
        self._made_for: tuple[int, str] = (0, "")

    def take(self, name: str) -> bool:
        """Take a lock; return False if a thread of this or another process holds it."""
        with self._mutex:
            if name in self._names or not self._ask(TAKE, name):
                return False
            self._names.add(name)
            return True

    def give_back(self, name: str) -> None:
        with self._mutex:
            self._names.discard(name)
            self._ask(GIVE_BACK, name)

    def own(self) -> str:
        """Return the name of the lock that this process holds while it runs.

        The lock is taken again if it was lost with the connection.
        """
        with self._mutex:
            if self._own[0] != os.getpid():
                self._names.discard(self._own[1])
                self._own = os.getpid(), f"zol.process.{uuid4().hex}"
            self._ask(TAKE, self._own[1])
            self._names.add(self._own[1])
            return self._own[1]

    def close(self) -> None:
        with self._mutex:
            self._close()

    def _close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def _ask(self, statement: str, name: str) -> bool:
        """Execute a statement, on a new connection if the old one was lost."""
        known = self._line
        with connections["default"].wrap_database_errors:
            try:
                return self._asked(statement, name)
            except psycopg.OperationalError:
                self._close()
                if known is None:
                    raise
                return self._asked(statement, name)

    def _asked(self, statement: str, name: str) -> bool:
        row = self._connected().execute(statement, [name]).fetchone()
        return bool(row and row[0])

    def _connected(self) -> psycopg.Connection[Any]:
        """Return the connection; a new one takes all locks again."""
        where = connections["default"].get_connection_params()
        made_for = os.getpid(), where["dbname"]
        if self._line is None or self._line.closed or self._made_for != made_for:
            self._close()
            self._line = psycopg.connect(**where, autocommit=True)
            self._made_for = made_for
            for held_before in self._names:
                self._line.execute(TAKE, [held_before])
        return self._line


keeper = LockKeeper()


@contextmanager
def held(name: str) -> Iterator[bool]:
    """Hold a lock in the block; yields False if it is held elsewhere."""
    is_mine = keeper.take(name)
    try:
        yield is_mine
    finally:
        if is_mine:
            keeper.give_back(name)
