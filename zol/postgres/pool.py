"""Connection pool of a web process, and classification of database errors.

Commands and workers have one thread, so they need no pool.
"""

from __future__ import annotations

from contextlib import suppress
from errno import EDQUOT, ENOSPC
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError, connections
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

#: Errors of a database that is away.
AWAY = (OperationalError, InterfaceError)
#: SQLSTATEs of a database that cannot store: read-only, disk full, I/O error.
UNWRITABLE = ("25006", "53100", "58030")
#: Seconds after which clients should try again.
RETRY_AFTER = 30


def stores_nothing(error: BaseException) -> bool:
    """Return whether the cause is a read-only or full database, or a full disk."""
    if isinstance(error, OSError):
        return error.errno in (ENOSPC, EDQUOT)
    return getattr(error.__cause__, "sqlstate", None) in UNWRITABLE


#: Maximum connections of a web process, in the pool and in all. Outside the pool are those of
#: `zol.runtime.bridge` for checks and emergencies, one of `zol.health` and one of `locks.py`.
MOST_SHARED, MOST = 10, 16
#: Seconds that a thread waits for a connection of the pool.
PATIENCE = 10.0
FORGET = "SELECT set_config('zol.hospital', '', false), set_config('zol.user', '', false)"


def share_connections() -> None:
    """Enable the pool; call it before the first connection is opened."""
    default = connections.settings["default"]
    # The backend checks a connection itself when it takes one (`base.py`).
    default["CONN_HEALTH_CHECKS"] = False
    default["OPTIONS"]["pool"] = {
        "min_size": 0,
        "max_size": MOST_SHARED,
        "timeout": PATIENCE,
        "reconnect_timeout": 0,
        "reconnect_failed": _fail_waiting,
    }


def own_connection() -> None:
    """Give this thread its own connection outside the pool."""
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

    Call it before a thread waits for another service.
    """
    for connection in connections.all(initialized_only=True):
        if connection.pool and not connection.in_atomic_block:
            connection.close()


def clear(connection: psycopg.Connection[Any]) -> None:
    """Reset hospital and user of a connection that returns to the pool."""
    try:
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.rollback()
        # Without it the pool would roll the reset back.
        connection.autocommit = True
        connection.execute(FORGET)
    except psycopg.Error:
        connection.close()


def is_alive(connection: psycopg.Connection[Any]) -> bool:
    """Return whether the connection works."""
    with suppress(psycopg.OperationalError):
        connection.execute("")
        return True
    return False


def _fail_waiting(pool: ConnectionPool[Any]) -> None:
    """Fail all waiting threads after a connection could not be opened.

    The pool itself fails them only when it is closed. The next thread makes the pool try again.
    """
    with pool._lock:
        waiting = list(pool._waiting)
        pool._waiting.clear()
    for each in waiting:
        each.fail(psycopg.OperationalError("no connection to PostgreSQL could be opened"))
