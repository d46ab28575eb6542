"""The product's own web server for tests in a browser, as a child process on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from functools import cache
from pathlib import Path

import psutil
from django.conf import settings
from django.db import connection

from zol.runtime import processes

#: Seconds for a server to start; it may have to learn first, on a busy machine.
LONGEST = 300.0
#: Files of other people's pages, which nobody loads here.
OTHERS = ("rest_framework",)
SETTINGS = "tests.chat.server_settings"


@cache
def collected() -> Path:
    """Put the static files where servers expect them, with their hashed names; once is enough."""
    place = Path(settings.STATIC_ROOT).with_name("collected")
    ignored = [part for name in OTHERS for part in ("--ignore", name)]
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0", *ignored]
    own = {"DJANGO_SETTINGS_MODULE": SETTINGS, "STATE_DIR": str(settings.STATE_DIR)}
    own |= {
        "SERVER_DATABASE": "",
        "SERVER_MEDIA": str(settings.MEDIA_ROOT),
        "SERVER_STATIC": str(place),
    }
    subprocess.run(command, cwd=settings.BASE_DIR, env=os.environ | own, check=True)
    return place


class Server:
    """One web process, serving the test database. It can be stopped and started at the same port."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": SETTINGS,
            "STATE_DIR": str(settings.STATE_DIR),
            "SERVER_DATABASE": connection.settings_dict["NAME"],
            "SERVER_MEDIA": str(settings.MEDIA_ROOT),
            "SERVER_STATIC": str(collected()),
            **more,
        }

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "zol.web.server", "--port", str(self.port)]

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def start(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=settings.BASE_DIR, env=self.environment, stdout=log, stderr=log
            )
        self._wait()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=LONGEST)
            self.process = None

    def _wait(self) -> None:
        started = time.monotonic()
        while time.monotonic() - started < LONGEST and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/live"):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise AssertionError(f"The server did not start:\n{self.log[-2_000:]}")


class Servers(Server):
    """The same as in production: as many web processes as were asked for, at one port."""

    @property
    def command(self) -> list[str]:
        # Not by `manage.py`, which would look for tables in another database than the test's.
        return [sys.executable, "-m", "django", "serve", "--port", str(self.port)]

    @property
    def web(self) -> list[psutil.Process]:
        """The web processes as they run now."""
        assert self.process is not None
        return psutil.Process(self.process.pid).children()

    def _wait(self) -> None:
        def is_ready() -> bool:
            # The log has the words of earlier starts, too.
            return self.log.count("ready after") > self.log.count("Stopped.")

        assert processes.wait_until(is_ready, LONGEST), self.log[-2_000:]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
