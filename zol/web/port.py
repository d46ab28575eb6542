"""One port that several web processes take visitors from, and how many of them do so already.

Each has a socket of its own there, and the system shares visitors out among them evenly. With one
socket for all, whichever process wakes up first takes the visitor, on a quiet machine nearly always
the same; and a socket of a process that died would keep visitors waiting.
"""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from zol.web.supervisor import Program

#: Without a number of one's own: one for each core, up to so many. Each holds what it answers from
#: in its own memory, so that more are a decision.
MOST_UNASKED = 4
MOST = 64


class PortTaken(Exception):
    """Somebody else has the port, or this machine has no such address."""


def web_processes() -> int:
    """Return how many web processes `WEB_PROCESSES` asks for; one for each core, if it is empty."""
    written = str(settings.WEB_PROCESSES).strip()
    if not written:
        return max(1, min(cores(), MOST_UNASKED))
    if not (written.isascii() and written.isdecimal() and 1 <= int(written[:9]) <= MOST):
        raise ImproperlyConfigured(
            f"WEB_PROCESSES is a number from 1 to {MOST}, or empty for one process for each core "
            f"(at most {MOST_UNASKED}); it is “{written[:40]}”."
        )
    return int(written)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(slots=True)
class Port:
    """A port that is ours, and the web processes that are given it."""

    host: str
    number: int
    #: Ours as long as we live. It never listens: no visitor waits at it.
    held: socket.socket
    #: What the processes write to once they take visitors, and where that is read.
    heard: int
    told: int
    ready: int = 0

    def programs(self) -> tuple[Program, ...]:
        """Return the web processes, as many as are asked for."""
        where = ("--host", self.host, "--port", str(self.number), "--ready", str(self.told))
        command = (sys.executable, "-m", "zol.web.server", *where)
        count = web_processes()
        names = [f"web server {n + 1}" for n in range(count)] if count > 1 else ["web server"]
        return tuple(Program(name, command, (self.told,)) for name in names)

    def are_ready(self) -> bool:
        """Say whether as many processes as were asked for have begun to take visitors."""
        with suppress(BlockingIOError):
            self.ready += len(os.read(self.heard, 1_000))
        return self.ready >= web_processes()

    def close(self) -> None:
        self.held.close()
        os.close(self.heard)
        os.close(self.told)


def taken(host: str, number: int) -> Port:
    """Take a port (0: any) for the processes that we start, or raise `PortTaken`.

    It opens with the first of those processes, not now.
    """
    try:
        refuse_listened(host, number)
        held = bound(host, number)
    except (OSError, OverflowError) as error:
        raise PortTaken(
            f"Port {number} cannot be had ({getattr(error, 'strerror', None) or error}): "
            f"stop what uses it, or choose another with PORT=…"
        ) from error
    heard, told = os.pipe()
    fcntl.fcntl(heard, fcntl.F_SETFL, fcntl.fcntl(heard, fcntl.F_GETFL) | os.O_NONBLOCK)
    return Port(host, held.getsockname()[1], held, heard, told)


def bound(host: str, port: int) -> socket.socket:
    """Return a socket at a port that more sockets may have; it does not listen yet."""
    made = socket.socket()
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind((host, port))
    except BaseException:
        made.close()
        raise
    return made


def refuse_listened(host: str, port: int) -> None:
    """Raise `OSError` where somebody listens already, be it another such process."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
