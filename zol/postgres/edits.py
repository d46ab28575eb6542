"""How the database writes down who edited which rows, and keeps a freeze apart from edits.

An edit holds a shared lock of its hospital until it is committed; freezing a draft takes the
exclusive one (`wait_for_edits`). So what is frozen is exactly what was committed before, and its
edits are exactly those with a number up to the last one there is.
"""

from __future__ import annotations

from django.db import connection

#: The first half of the advisory locks' keys; the second is the hospital.
DRAFT, PUBLISHING = 7411, 7412

RECORD_EDIT = f"""
CREATE FUNCTION zol_record_edit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    served bigint := NULLIF(NULLIF(current_setting('zol.hospital', true), ''), '0')::bigint;
    editor bigint := NULLIF(NULLIF(current_setting('zol.user', true), ''), '0')::bigint;
    source text := CASE TG_OP WHEN 'DELETE' THEN 'old_rows' ELSE 'new_rows' END;
    touched bigint[];
BEGIN
    IF served IS NULL THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        EXECUTE format(
            'SELECT array_agg(n.%1$I) FROM new_rows n JOIN old_rows o ON n.%1$I = o.%1$I '
            'WHERE n::text IS DISTINCT FROM o::text', TG_ARGV[1]
        ) INTO touched;
    ELSE
        EXECUTE format('SELECT array_agg(%I) FROM %I', TG_ARGV[1], source) INTO touched;
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
