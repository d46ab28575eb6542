"""One port that several web processes take visitors from, and how many of them do so already."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass

from zol.embedded.supervisor import Program
from zol.web.count import web_processes
from zol.web.sockets import bound, refuse_listened


class PortTaken(Exception):
    """Somebody else has the port, or this machine has no such address."""


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
    #: By which the processes leave turns to each other.
    queue: tuple[socket.socket, socket.socket]
    ready: int = 0

    def programs(self) -> tuple[Program, ...]:
        """Return the web processes, as many as are asked for."""
        count = web_processes()
        where = ("--host", self.host, "--port", str(self.number), "--ready", str(self.told))
        command: tuple[str, ...] = (sys.executable, "-m", "zol.web.server", *where)
        if count == 1:
            return (Program("web server", command, (self.told,)),)
        ends = tuple(end.fileno() for end in self.queue)
        command += ("--queue", *map(str, ends))
        names = (f"web server {n + 1}" for n in range(count))
        return tuple(Program(name, command, (self.told, *ends)) for name in names)

    def are_ready(self) -> bool:
        """Whether as many processes as were asked for have begun to take visitors."""
        with suppress(BlockingIOError):
            self.ready += len(os.read(self.heard, 1_000))
        return self.ready >= web_processes()

    def close(self) -> None:
        self.held.close()
        for end in self.queue:
            end.close()
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
    # A queue of messages, each with a line to whoever left it.
    queue = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return Port(host, held.getsockname()[1], held, heard, told, queue)
