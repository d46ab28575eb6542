"""Supervisor that keeps programs running, and the port that web processes share.

Each web process has its own socket at the port (SO_REUSEPORT), and the kernel distributes
connections evenly. With one shared socket nearly all would go to the same process on a quiet
machine, and connections to a process that died would wait.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError, OutputWrapper

from zol.runtime import processes

#: Seconds that a program may take to end, and between two checks of all programs.
PATIENCE, TICK = 15.0, 0.2
#: The longest pause before a crashed program is started again.
LONGEST_PAUSE = 30.0
#: A program that ran this long was healthy: its next crash is a first crash again.
HEALTHY_AFTER = 60.0
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Default environment of a child. glibc keeps a memory arena for each thread after a rush of
#: visitors: 31 MiB after 1,200 sockets, with two arenas 20.
ENVIRONMENT = {"MALLOC_ARENA_MAX": "2"}


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run."""

    name: str
    command: tuple[str, ...]
    #: File descriptors that it inherits.
    keeps: tuple[int, ...] = ()


@dataclass(slots=True)
class Child:
    """State of a supervised program."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    crashes: int = 0
    #: Earliest moment of its next start.
    due: float = 0.0


@dataclass(slots=True)
class Supervisor:
    """Starts programs in order, restarts those that crash, and ends all in order."""

    programs: Sequence[Program]
    folder: Path
    #: Folder for the output of each program; None: the output of this process.
    log_folder: Path | None
    report: Callable[[str], None]
    children: list[Child] = field(default_factory=list)

    def run(
        self, port: Port, announce: Callable[[float], None], look: Callable[[], None]
    ) -> NoReturn:
        """Keep the programs running until this process is interrupted, then end them.

        `announce` is called with the seconds until all web processes accepted connections; `look`
        is called at every check.
        """
        started, is_announced = time.monotonic(), False
        try:
            self.start()
            while True:
                time.sleep(TICK)
                self.tend()
                if not is_announced and port.are_ready():
                    is_announced = True
                    announce(time.monotonic() - started)
                look()
        finally:
            ignore_endings()
            self.stop()

    def start(self) -> None:
        if self.log_folder is not None:
            self.log_folder.mkdir(parents=True, exist_ok=True)
        for program in self.programs:
            child = Child(program)
            self.children.append(child)
            self._start(child)

    def tend(self) -> None:
        """Check every program once."""
        now = time.monotonic()
        for child in self.children:
            if child.process is None:
                if now >= child.due:
                    self._start(child)
            elif child.process.poll() is not None:
                self._note_crash(child, now)

    def stop(self) -> None:
        """End every program in order, then what is left of its process group.

        SIGTERM goes to the leader of a group only: a Celery worker lets its children finish tasks.
        """
        for child in self.children:
            if child.process is not None:
                child.process.terminate()
        deadline = time.monotonic() + PATIENCE
        for child in self.children:
            if child.process is not None:
                end_group(child.process, patience=deadline - time.monotonic())
        self.children.clear()

    def log_of(self, program: Program) -> Path | None:
        name = f"{program.name.replace(' ', '_')}.log"
        return None if self.log_folder is None else self.log_folder / name

    def _start(self, child: Child) -> None:
        log = self.log_of(child.program)
        with ExitStack() as until_started:
            output = until_started.enter_context(log.open("ab")).fileno() if log else None
            child.process = start_in_group(
                child.program.command, folder=self.folder, output=output, keep=child.program.keeps
            )
        child.started = time.monotonic()

    def _note_crash(self, child: Child, now: float) -> None:
        """Report that a program ended, kill the rest of its group, and schedule its restart."""
        process = child.process
        if process is None:
            return
        processes.end_groups([process.pid], signal.SIGKILL)
        child.crashes = 1 if now - child.started > HEALTHY_AFTER else child.crashes + 1
        pause = min(2.0 ** (child.crashes - 1), LONGEST_PAUSE)
        child.process, child.due = None, now + pause
        log = self.log_of(child.program)
        cause = f"status {process.returncode}, see {log}" if log else f"status {process.returncode}"
        self.report(f"The {child.program.name} stopped ({cause}); again in {pause:.0f} s.")


def start_in_group(
    command: Sequence[str], *, folder: Path, output: int | None = None, keep: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """Start a program in its own group, which Ctrl-C does not reach; it ends with this process."""
    return subprocess.Popen(  # noqa: S603 (our own programs)
        command,
        cwd=folder,
        env=ENVIRONMENT | os.environ,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        pass_fds=keep,
        preexec_fn=_die_with_parent,  # noqa: PLW1509 (we have one thread)
    )


def end_group(process: subprocess.Popen[bytes], *, patience: float) -> None:
    """Wait for the leader of a group to end, then kill what is left of the group."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(patience, 0.1))
    processes.end_groups([process.pid], signal.SIGKILL)
    process.wait()
    processes.wait_until(lambda: not processes.members(process.pid), PATIENCE)


def _die_with_parent() -> None:
    """Have the kernel end this child when its supervisor is killed (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGTERM)


def write_line(output: OutputWrapper, text: str) -> None:
    """Write a line; a closed terminal is no error, so that stopping goes on."""
    with suppress(OSError):
        output.write(text)
        output.flush()


def end_like_ctrl_c() -> None:
    """Raise `KeyboardInterrupt` on SIGTERM and SIGHUP as on Ctrl-C."""
    for ending in ENDINGS:
        signal.signal(ending, _interrupt)


def ignore_endings() -> None:
    """Ignore further signals while stopping."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


#: Maximum number of web processes by default, which is one for each core. Each holds all snapshots
#: in memory.
MOST_UNASKED = 4
MOST = 64


class PortTaken(CommandError):
    """The port is in use, or the address is not of this machine."""


def web_processes() -> int:
    """Return the number of web processes: `WEB_PROCESSES`, or one for each core."""
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
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(slots=True)
class Port:
    """A reserved port, and the web processes that share it."""

    host: str
    number: int
    #: Reserves the port; it never listens.
    held: socket.socket
    #: Pipe to which each process writes a byte once it accepts connections.
    read_end: int
    write_end: int
    ready: int = 0

    def programs(self) -> tuple[Program, ...]:
        """Return the web processes to run."""
        where = ("--host", self.host, "--port", str(self.number), "--ready", str(self.write_end))
        command = (sys.executable, "-m", "zol.web.server", *where)
        count = web_processes()
        names = [f"web server {n + 1}" for n in range(count)] if count > 1 else ["web server"]
        return tuple(Program(name, command, (self.write_end,)) for name in names)

    def are_ready(self) -> bool:
        """Return whether all web processes accept connections."""
        with suppress(BlockingIOError):
            self.ready += len(os.read(self.read_end, 1_000))
        return self.ready >= web_processes()

    def close(self) -> None:
        self.held.close()
        os.close(self.read_end)
        os.close(self.write_end)


def taken(host: str, number: int) -> Port:
    """Reserve a port (0: any) for the web processes, or raise `PortTaken`.

    The port opens when the first of these processes listens, not now.
    """
    try:
        # Without SO_REUSEPORT: fails where any process listens already.
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, number))
        held = bound(host, number)
    except (OSError, OverflowError) as error:
        raise PortTaken(
            f"Port {number} cannot be had ({getattr(error, 'strerror', None) or error}): "
            f"stop what uses it, or choose another with PORT=…"
        ) from error
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    return Port(host, held.getsockname()[1], held, read_end, write_end)


def bound(host: str, port: int) -> socket.socket:
    """Return a socket at a port that can be shared; it does not listen yet."""
    made = socket.socket()
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind((host, port))
    except BaseException:
        made.close()
        raise
    return made
