"""Find and end processes that we started, and no others.

The pid in a file may have been reused, so the command line must match too. (The working directory
would be more specific, but root in a container may not read that of another user's process.)
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import psutil


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive file lock; the kernel releases it, also after kill -9."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def recorded(pid_file: Path, *, sign: str) -> psutil.Process | None:
    """Return the running process of a pid file if its command line contains `sign`."""
    try:
        pid = int(pid_file.read_text(encoding="ascii").split()[0])
    except (FileNotFoundError, ValueError, IndexError):
        return None
    if pid <= 0:
        return None
    try:
        process = psutil.Process(pid)
        return process if is_alive(process) and sign in _command(process) else None
    except psutil.Error:
        return None


def starting_with(sign: str) -> list[psutil.Process]:
    """Return every running process whose command line starts with `sign`."""
    return [
        process
        for process in psutil.process_iter()
        if _command(process).startswith(sign) and is_alive(process)
    ]


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def end(process: psutil.Process, signals: Sequence[tuple[signal.Signals, float]]) -> bool:
    """Send signals, each with a time-out in seconds, until the process is gone."""
    for number, patience in signals:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)
        if wait_until(lambda: not is_alive(process), patience):
            return True
    return not is_alive(process)


def end_groups(leaders: Iterable[int], number: signal.Signals) -> None:
    for leader in leaders:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, number)


def members(group: int) -> list[psutil.Process]:
    """Return the running processes of a group."""
    return [process for process in psutil.process_iter() if _group(process) == group]


def wait_until(claim: Callable[[], bool], patience: float) -> bool:
    """Wait up to `patience` seconds for a claim to become true; return whether it did."""
    deadline = time.monotonic() + patience
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _group(process: psutil.Process) -> int | None:
    try:
        return os.getpgid(process.pid) if is_alive(process) else None
    except ProcessLookupError:
        return None


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
