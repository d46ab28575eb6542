"""One demonstration per state directory, and how another process finds it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from zol.embedded import locks, processes
from zol.embedded.errors import EmbeddedError

#: What the command line of the demonstration holds, so that no stranger is ever ended.
SIGN = "manage.py demo"
#: Longer than its programs are given to end, and its services after them.
STOPPING = ((signal.SIGTERM, 60.0), (signal.SIGKILL, 5.0))


@contextmanager
def presence(state_dir: Path) -> Iterator[None]:
    """Be the demonstration of this state directory, or say who is."""
    lock = locks.open_lock(state_dir / "demo.lock")
    try:
        if not locks.try_exclusive(lock):
            raise EmbeddedError("The demonstration already runs here; `make stop` ends it.")
        _pid_file(state_dir).write_text(f"{os.getpid()}\n", encoding="ascii")
        yield
        _pid_file(state_dir).unlink(missing_ok=True)
    finally:
        os.close(lock)


def find(state_dir: Path) -> psutil.Process | None:
    """Return the running demonstration."""
    return processes.recorded(_pid_file(state_dir), sign=SIGN)


def _pid_file(state_dir: Path) -> Path:
    return state_dir / "demo.pid"
