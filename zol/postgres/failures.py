"""What a failed statement or file says of the database and the disk."""

from __future__ import annotations

from errno import EDQUOT, ENOSPC

from django.db import InterfaceError, OperationalError

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
