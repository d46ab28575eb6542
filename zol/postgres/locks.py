"""Locks of the database: of who edits and who publishes, and of whoever is alive.

An edit holds a shared lock of its hospital until it is committed; freezing a draft takes the
exclusive one (`wait_for_edits`). So what is frozen is exactly what was committed before, and its
edits are exactly those with a number up to the last one there is.

A lock of the session (`held`) is given back by the server the moment its holder is gone, also after
kill -9, so what is "being done" and whose lock is free is known to be abandoned, without waiting
for a time-out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
    """Let nobody else take a step of a release of this hospital until the transaction ends."""
    _lock(PUBLISHING, hospital_id)


def _lock(what: int, hospital_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [what, hospital_id])


def take_turns(name: str, using: str = "default") -> None:
    """Let nobody else who asks for the same go on before the transaction ends."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


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
