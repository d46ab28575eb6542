"""The web in production: as many processes as `WEB_PROCESSES` asks for, at one port."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection, connections

from zol.web.programs import (
    Port,
    PortTaken,
    Program,
    Supervisor,
    end_like_ctrl_c,
    ignore_endings,
    taken,
)

#: Seconds between two looks at the processes, and between two attempts to reach the database.
TICK, BETWEEN_ATTEMPTS = 0.2, 1.0


def wait_for_database(say: Callable[[str], None]) -> None:
    """Return once the database takes connections; say why it does not, each reason once."""
    told = ""
    while True:
        try:
            connection.ensure_connection()
        except OperationalError as error:
            if (reason := " ".join(str(error).split())) != told:
                say(f"Waiting for the database: {reason}")
                told = reason
            time.sleep(BETWEEN_ATTEMPTS)
        else:
            connection.close()
            if told:
                say("The database answers.")
            return


class Command(BaseCommand):
    help = (
        "Serve the web at one port, with WEB_PROCESSES processes (by default one for each core, "
        "at most 4), until SIGTERM or Ctrl-C. One that dies is started again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the IPv4 address to listen on")
        parser.add_argument(
            "--port", type=int, default=settings.PORT, help="instead of PORT, which is 8000"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        connections.close_all()
        try:
            port = taken(options["host"], options["port"])
        except PortTaken as error:
            raise CommandError(str(error)) from error
        with contextlib.closing(port):
            programs = port.programs()
            end_like_ctrl_c()
            try:
                wait_for_database(self._say)
            except KeyboardInterrupt:
                self._say("Stopped.")
                return
            self._serve(port, programs)

    def _serve(self, port: Port, listed: Sequence[Program]) -> None:
        programs = Supervisor(
            programs=listed, folder=settings.BASE_DIR, log_folder=None, say=self._say
        )
        started, announced = time.monotonic(), False
        try:
            programs.start()
            while True:
                time.sleep(TICK)
                programs.tend()
                if not announced and port.are_ready():
                    announced = True
                    self._announce(port, time.monotonic() - started)
        except KeyboardInterrupt:
            self._say("Finishing the answers that are being given …")
        finally:
            ignore_endings()
            programs.stop()
        self._say("Stopped.")

    def _announce(self, port: Port, seconds: float) -> None:
        count = len(port.programs())
        of = f"{count} web processes" if count > 1 else "1 web process"
        self._say(f"{of} at {port.host}:{port.number}, ready after {seconds:.1f} s.")

    def _say(self, text: str) -> None:
        """Tell whoever still listens: a closed terminal must not keep us from stopping."""
        with contextlib.suppress(OSError):
            self.stdout.write(text)
            self.stdout.flush()
