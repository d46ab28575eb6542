"""Programs that are kept running until told to stop, and the one port that web processes share.

Each web process has a socket of its own there, and the system shares visitors out among them
evenly. With one socket for all, whichever process wakes up first takes the visitor, on a quiet
machine nearly always the same; and a socket of a process that died would keep visitors waiting.
"""

from __future__ import annotations

import ctypes
import fcntl
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

#: How long a program is given to finish what it does, and between two looks at all, in seconds.
PATIENCE, TICK = 15.0, 0.2
#: The longest pause before a crashed program is started again.
LONGEST_PAUSE = 30.0
#: A program that ran this long was healthy: its next crash is a first crash again.
HEALTHY_AFTER = 60.0
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: What a child's environment has unless ours says otherwise. glibc gives each thread memory of its
#: own, and keeps what a rush of visitors took: after 1,200 sockets 31 MiB, with two areas 20.
ENVIRONMENT = {"MALLOC_ARENA_MAX": "2"}


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run, and its name."""

    name: str
    command: tuple[str, ...]
    #: Descriptors that it inherits.
    keeps: tuple[int, ...] = ()


@dataclass(slots=True)
class Child:
    """A program as it runs now."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    crashes: int = 0
    #: Not before this moment is it started again.
    due: float = 0.0


@dataclass(slots=True)
class Supervisor:
    """Starts programs in order, restarts those that crash, ends them in order."""

    programs: Sequence[Program]
    folder: Path
    #: Where each program's words go; None: where ours go.
    log_folder: Path | None
    say: Callable[[str], None]
    children: list[Child] = field(default_factory=list)

    def run(
        self, port: Port, announce: Callable[[float], None], look: Callable[[], None]
    ) -> NoReturn:
        """Keep the programs running until this process is interrupted, then end them.

        `announce` is given the seconds after which visitors were taken; `look` is called again and
        again.
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
        """Look after every program once."""
        now = time.monotonic()
        for child in self.children:
            if child.process is None:
                if now >= child.due:
                    self._start(child)
            elif child.process.poll() is not None:
                self._note_crash(child, now)

    def stop(self) -> None:
        """End every program, first the ones that take new work, and whatever they started.

        Only the leader of a group is asked: a Celery worker lets its children finish their tasks.
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
        """Say that a program ended, end what it left, and plan its next start."""
        process = child.process
        if process is None:
            return
        processes.end_groups([process.pid], signal.SIGKILL)
        child.crashes = 1 if now - child.started > HEALTHY_AFTER else child.crashes + 1
        pause = min(2.0 ** (child.crashes - 1), LONGEST_PAUSE)
        child.process, child.due = None, now + pause
        log = self.log_of(child.program)
        told = f"status {process.returncode}, see {log}" if log else f"status {process.returncode}"
        self.say(f"The {child.program.name} stopped ({told}); again in {pause:.0f} s.")


def start_in_group(
    command: Sequence[str], *, folder: Path, output: int | None = None, keep: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own, which Ctrl-C does not reach, but our end does."""
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
    """Wait for the leader that was asked to end, then end what is left of its group."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(patience, 0.1))
    processes.end_groups([process.pid], signal.SIGKILL)
    process.wait()
    processes.wait_until(lambda: not processes.members(process.pid), PATIENCE)


def _die_with_parent() -> None:
    """Have the kernel end a child whose supervisor was killed; other systems lack this."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGTERM)


def say(output: OutputWrapper, text: str) -> None:
    """Write to whoever still listens: a closed terminal must not keep us from stopping."""
    with suppress(OSError):
        output.write(text)
        output.flush()


def end_like_ctrl_c() -> None:
    """Raise `KeyboardInterrupt` in this process, however it is asked to end."""
    for ending in ENDINGS:
        signal.signal(ending, _interrupt)


def ignore_endings() -> None:
    """Finish stopping, however impatient the keyboard."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


#: Without a number of one's own: one for each core, up to so many. Each holds what it answers from
#: in its own memory, so that more are a decision.
MOST_UNASKED = 4
MOST = 64


class PortTaken(CommandError):
    """The port is in use, or the address is not of this machine."""


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
        # Refused where somebody listens already, be it another such process.
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, number))
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
