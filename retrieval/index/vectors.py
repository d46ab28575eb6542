"""Talking to PostgreSQL in binary, without asking it first what a vector is.

What reads pages for an answer fails in one way, which a stage has a fallback for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError
from pgvector import HalfVector
from pgvector.psycopg.halfvec import HalfVectorBinaryDumper, HalfVectorDumper
from psycopg import BaseConnection
from psycopg.pq import Format

from zol.errors import SearchFailed

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


@contextmanager
def reading() -> Iterator[None]:
    """Say that the search failed where the database did; also as a decorator, `@reading()`."""
    try:
        yield
    except DatabaseError as error:
        raise SearchFailed(str(error)) from error
