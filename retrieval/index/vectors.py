"""Talking to PostgreSQL in binary, without asking it first what a vector is."""

from __future__ import annotations

from typing import Any

from pgvector import HalfVector
from pgvector.psycopg.halfvec import HalfVectorBinaryDumper, HalfVectorDumper
from psycopg import BaseConnection
from psycopg.pq import Format

#: Set on a connection that has been taught.
TAUGHT = "_zol_vectors"


def teach(cursor: Any) -> None:
    """Let a Django cursor's connection send half vectors.

    The dumpers have no type number: the statement says `%s::halfvec`, so the server knows, and no
    connection has to look the number up. Binary is registered last, which makes it preferred.
    """
    teach_connection(cursor.connection)
    teach_context(cursor)


def answer_in_binary(cursor: Any) -> None:
    """Have a Django cursor's answers come in binary: numbers, dates and lists need no reading."""
    cursor.cursor.format = Format.BINARY


def teach_connection(connection: BaseConnection[Any]) -> None:
    if not getattr(connection, TAUGHT, False):
        teach_context(connection)
        setattr(connection, TAUGHT, True)


def teach_context(context: Any) -> None:
    context.adapters.register_dumper(HalfVector, HalfVectorDumper)
    context.adapters.register_dumper(HalfVector, HalfVectorBinaryDumper)
