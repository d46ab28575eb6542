"""New contents for the reference tables: built beside them, and put in their place at once.

While a release loads, for minutes, questions are answered from the tables as they were. The new
ones get their indexes once they are full; the last step renames, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.db import connections
from numpy.typing import NDArray

from taxonomy.models import SnomedConcept, SnomedDescription, SnomedIsA, SnomedRelationship
from zol.postgres.roles import APPLICATION_ROLE

TABLES = tuple(
    model._meta.db_table
    for model in (SnomedConcept, SnomedDescription, SnomedRelationship, SnomedIsA)
)
NEW = "_new"
_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_END = b"\xff\xff"

Column = tuple[NDArray[Any], str]


def owner() -> Any:
    """Return the connection that may change reference data and tables."""
    return connections["owner"]


@contextmanager
def copying(model: type, columns: str, *, binary: bool = True) -> Iterator[Any]:
    """Give a function's worth of COPY into the new table of a model."""
    how = " WITH (FORMAT binary)" if binary else ""
    statement = f"COPY {model._meta.db_table}{NEW} ({columns}) FROM STDIN{how}"  # type: ignore[attr-defined]
    with owner().cursor() as cursor, cursor.copy(statement) as copy:
        if binary:
            copy.write(_SIGNATURE)
        yield copy
        if binary:
            copy.write(_END)


def as_rows(*columns: Column) -> bytes:
    """Return columns as rows of PostgreSQL's binary COPY."""
    layout: list[tuple[str, str]] = [("fields", ">i2")]
    for at, (_, kind) in enumerate(columns):
        layout += [(f"size{at}", ">i4"), (f"value{at}", kind)]
    rows = np.empty(len(columns[0][0]), dtype=np.dtype(layout))
    rows["fields"] = len(columns)
    for at, (values, kind) in enumerate(columns):
        rows[f"size{at}"] = np.dtype(kind).itemsize
        rows[f"value{at}"] = values
    return rows.tobytes()


def escaped(text: str) -> str:
    """Return a text as a field of PostgreSQL's text COPY."""
    return text.replace("\\", "\\\\").replace("\r", "\\r")


def create_new() -> None:
    """Make empty new tables, without indexes."""
    with owner().cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"DROP TABLE IF EXISTS {table}{NEW}")
            cursor.execute(f"CREATE TABLE {table}{NEW} (LIKE {table} INCLUDING DEFAULTS)")


def index_new() -> None:
    """Give the new tables what the present ones have."""
    with owner().cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '128MB'")
        for table in TABLES:
            for name, definition in _constraints(cursor, table):
                cursor.execute(
                    f"ALTER TABLE {table}{NEW} ADD CONSTRAINT {quoted(name + NEW)} {definition}"
                )
            for name, definition in _indexes(cursor, table):
                after = definition.partition(" USING ")[2]
                cursor.execute(f"CREATE INDEX {quoted(name + NEW)} ON {table}{NEW} USING {after}")
            cursor.execute(f"ANALYZE {table}{NEW}")


def put_in_place() -> None:
    """Let the new tables take the names of the present ones, which go."""
    with owner().cursor() as cursor:
        for table in TABLES:
            constraints, indexes = _constraints(cursor, table), _indexes(cursor, table)
            cursor.execute(f"DROP TABLE {table}")
            cursor.execute(f"ALTER TABLE {table}{NEW} RENAME TO {table}")
            for name, _ in constraints:
                cursor.execute(
                    f"ALTER TABLE {table} RENAME CONSTRAINT {quoted(name + NEW)} TO {quoted(name)}"
                )
            for name, _ in indexes:
                cursor.execute(f"ALTER INDEX {quoted(name + NEW)} RENAME TO {quoted(name)}")
            cursor.execute(
                f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {table} FROM {APPLICATION_ROLE}"
            )
            cursor.execute(f"GRANT SELECT ON {table} TO {APPLICATION_ROLE}")


def quoted(name: str) -> str:
    return str(owner().ops.quote_name(name))


def _constraints(cursor: Any, table: str) -> list[tuple[str, str]]:
    cursor.execute(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype IN ('p', 'u') ORDER BY conname",
        [table],
    )
    return list(cursor.fetchall())


def _indexes(cursor: Any, table: str) -> list[tuple[str, str]]:
    cursor.execute(
        "SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i JOIN pg_class c"
        " ON c.oid = i.indexrelid WHERE i.indrelid = %s::regclass AND NOT EXISTS"
        " (SELECT 1 FROM pg_constraint WHERE conindid = c.oid) ORDER BY c.relname",
        [table],
    )
    return list(cursor.fetchall())


def rows_of(sql: str, parameters: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    with owner().cursor() as cursor:
        cursor.execute(sql, list(parameters))
        return list(cursor.fetchall())
