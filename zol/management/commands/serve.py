"""`manage.py serve`: the web server in production, with `WEB_PROCESSES` processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, connection, connections

from zol.web.programs import Port, Supervisor, end_like_ctrl_c, taken, write_line

#: Seconds between two attempts to reach the database.
BETWEEN_ATTEMPTS = 1.0


def wait_for_database(report: Callable[[str], None]) -> None:
    """Wait until the database accepts connections; print why it does not, when that changes."""
    last = ""
    while True:
        try:
            connection.ensure_connection()
        except OperationalError as error:
            if (reason := " ".join(str(error).split())) != last:
                report(f"Waiting for the database: {reason}")
                last = reason
            time.sleep(BETWEEN_ATTEMPTS)
        else:
            connection.close()
            if last:
                report("The database answers.")
            return


class Command(BaseCommand):
    help = (
        "Serve the web at one port until SIGTERM or Ctrl-C, with WEB_PROCESSES processes (default: "
        "one per core, at most 4). A process that dies is restarted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="IPv4 address to listen on")
        parser.add_argument(
            "--port",
            type=int,
            default=settings.PORT,
            help="port to listen on; default: PORT, or 8000",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        connections.close_all()
        with closing(taken(options["host"], options["port"])) as port:
            programs = Supervisor(
                programs=port.programs(),
                folder=settings.BASE_DIR,
                log_folder=None,
                report=self._write,
            )
            end_like_ctrl_c()
            try:
                wait_for_database(self._write)
                programs.run(port, lambda seconds: self._announce(port, seconds), lambda: None)
            except KeyboardInterrupt:
                self._write("Stopped.")

    def _announce(self, port: Port, seconds: float) -> None:
        count = len(port.programs())
        of = f"{count} web processes" if count > 1 else "1 web process"
        self._write(f"{of} at {port.host}:{port.number}, ready after {seconds:.1f} s.")

    def _write(self, text: str) -> None:
        write_line(self.stdout, text)
