"""The web in production: as many processes as `WEB_PROCESSES` asks for, at one port."""

from __future__ import annotations

import contextlib
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from zol.web.programs import Port, PortTaken, Supervisor, end_like_ctrl_c, ignore_endings, taken

#: Seconds between two looks at the processes.
TICK = 0.2


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
            self._serve(port)

    def _serve(self, port: Port) -> None:
        end_like_ctrl_c()
        programs = Supervisor(
            programs=port.programs(), folder=settings.BASE_DIR, log_folder=None, say=self._say
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
