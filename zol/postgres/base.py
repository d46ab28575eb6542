"""Django's PostgreSQL backend, with the hospital being served as a setting of the connection.

This is the one hook of `zol.tenancy`: before a statement runs, the settings `zol.hospital` and
`zol.user` of the connection are set to the hospital being served and the acting user. They are set
only when they change, at most once in a turn. A rollback also undoes a setting made in the
transaction, so after every rollback they are set again. A connection that returns to the pool loses
both settings before another thread can take it.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from zol.postgres.pool import clear, is_alive
from zol.tenancy import acting_id, current_hospital_id

SET_HOSPITAL = "SELECT set_config('zol.hospital', %s, false), set_config('zol.user', %s, false)"


class DatabaseWrapper(base.DatabaseWrapper):
    """Connection that sets hospital and user before a statement, when they changed."""

    #: Hospital and user last set; None when that is uncertain.
    current: tuple[int, int] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(self._set_hospital)

    def _set_hospital(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        wanted = current_hospital_id(), acting_id()
        if self.current != wanted and not self._is_failed():
            self.current = None
            # A cursor of its own: the statement's may be server-side, which would only declare.
            with self.wrap_database_errors:
                self.connection.execute(SET_HOSPITAL, [str(each) for each in wanted])
            self.current = wanted
        return execute(sql, params, many, context)

    def _is_failed(self) -> bool:
        """Whether the transaction has failed, so that nothing but a rollback is accepted."""
        return self.connection.info.transaction_status == TransactionStatus.INERROR

    def connect(self) -> None:
        self.current = None
        super().connect()

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        while self.pool and not is_alive(connection):
            # PostgreSQL was restarted: all pooled connections are dead.
            self.pool.drain()
            connection._pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection

    def _close(self) -> None:
        if self.pool and self.connection is not None:
            clear(self.connection)
        super()._close()

    def _rollback(self) -> Any:
        self.current = None
        return super()._rollback()

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)
        self.current = None
