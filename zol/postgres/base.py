"""Django's PostgreSQL backend, which also tells the database whom we serve.

This is the one hook of `zol.tenancy`: before a statement runs, the connection's settings
`zol.hospital` and `zol.user` are made equal to the hospital being served and to who acts.
They are set only when they change, so a turn pays for it once at most. A setting made inside a
transaction is undone by a rollback, so every rollback makes us forget what we think was set.
A connection that goes back to the pool loses both settings before another thread can take it.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from zol.postgres.pool import clear, is_alive
from zol.tenancy import acting_id, current_hospital_id

TELL = "SELECT set_config('zol.hospital', %s, false), set_config('zol.user', %s, false)"


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that knows its hospital."""

    #: What PostgreSQL was last told; None when that is not certain.
    told: tuple[int, int] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(self._tell_hospital)

    def _tell_hospital(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        facts = current_hospital_id(), acting_id()
        if self.told != facts and not self._is_failed():
            self.told = None
            # A cursor of its own: the statement's may be server-side, which would only declare.
            with self.wrap_database_errors:
                self.connection.execute(TELL, [str(fact) for fact in facts])
            self.told = facts
        return execute(sql, params, many, context)

    def _is_failed(self) -> bool:
        """Whether the transaction has failed, so that nothing but a rollback is accepted."""
        return self.connection.info.transaction_status == TransactionStatus.INERROR

    def connect(self) -> None:
        self.told = None
        super().connect()

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        while self.pool and not is_alive(connection):
            # PostgreSQL was restarted: what lies in the pool is as dead.
            self.pool.drain()
            connection._pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection

    def _close(self) -> None:
        if self.pool and self.connection is not None:
            clear(self.connection)
        super()._close()

    def _rollback(self) -> Any:
        self.told = None
        return super()._rollback()

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)
        self.told = None
