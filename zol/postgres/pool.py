"""Connections that all threads of a web process share, and what a failed statement tells.

Commands and workers have one thread, so they have no pool.
"""

from __future__ import annotations

from contextlib import suppress
from errno import EDQUOT, ENOSPC
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError, connections
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

#: How a database that is away, or goes away in the middle, shows itself.
AWAY = (OperationalError, InterfaceError)
#: SQLSTATEs of a database that answers but stores nothing: read-only, full, its disk broken.
UNWRITABLE = ("25006", "53100", "58030")
#: Seconds after which it is worth asking again.
RETRY_AFTER = 30


def stores_nothing(error: BaseException) -> bool:
    """Whether it failed only because the database is read-only or full, or the disk is full."""
    if isinstance(error, OSError):
        return error.errno in (ENOSPC, EDQUOT)
    return getattr(error.__cause__, "sqlstate", None) in UNWRITABLE


#: Connections of one web process for all its threads. Outside the pool: those of the stops
#: (`zol.runtime.bridge`), one for readiness checks (`zol.health`), one for locks (`locks.py`).
MOST_SHARED, MOST = 10, 16
#: Seconds that a thread waits for a connection while others have them all.
PATIENCE = 10.0
FORGET = "SELECT set_config('zol.hospital', '', false), set_config('zol.user', '', false)"


def share_connections() -> None:
    """Have all threads of this process share connections; call it before the first one opens."""
    default = connections.settings["default"]
    # The backend looks at a connection itself when it takes one (`base.py`).
    default["CONN_HEALTH_CHECKS"] = False
    default["OPTIONS"]["pool"] = {
        "min_size": 0,
        "max_size": MOST_SHARED,
        "timeout": PATIENCE,
        "reconnect_timeout": 0,
        "reconnect_failed": _tell_waiting,
    }


def own_connection() -> None:
    """Give this thread a connection outside the pool, which it keeps and nobody else waits for."""
    shared = connections.settings["default"]
    if "pool" not in shared["OPTIONS"]:
        return
    mine = connections.create_connection("default")
    options = {name: value for name, value in shared["OPTIONS"].items() if name != "pool"}
    keeps = {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}
    mine.settings_dict = {**shared, **keeps}
    connections["default"] = mine


def hand_back() -> None:
    """Return this thread's connection to the pool, unless it is in a transaction.

    Call it before a thread waits for somebody else.
    """
    for connection in connections.all(initialized_only=True):
        if connection.pool and not connection.in_atomic_block:
            connection.close()


def clear(connection: psycopg.Connection[Any]) -> None:
    """Take the hospital and the user off a connection that goes back to the pool."""
    try:
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.rollback()
        # Without it the pool would undo what follows.
        connection.autocommit = True
        connection.execute(FORGET)
    except psycopg.Error:
        connection.close()


def is_alive(connection: psycopg.Connection[Any]) -> bool:
    """Say whether PostgreSQL is still at the other end."""
    with suppress(psycopg.OperationalError):
        connection.execute("")
        return True
    return False


def _tell_waiting(pool: ConnectionPool[Any]) -> None:
    """Tell all who wait, after a connection could not be opened, that the database is away.

    The pool itself tells them only when it is closed, and forgets who begins to wait meanwhile.
    Connections that others have are as dead; who comes next has the pool try again.
    """
    with pool._lock:
        waiting = list(pool._waiting)
        pool._waiting.clear()
    for each in waiting:
        each.fail(psycopg.OperationalError("no connection to PostgreSQL could be opened"))
