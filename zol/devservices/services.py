"""Start and stop the services of a state directory; they run until `make stop`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from zol.devservices import postgres, redis
from zol.errors import EmbeddedError
from zol.runtime import processes

SERVICES = {"postgres": postgres, "redis": redis}
#: What the command line of the demonstration holds, so that no stranger is ever ended.
SIGN = "manage.py demo"
#: Longer than its programs are given to end.
STOPPING = ((signal.SIGTERM, 60.0), (signal.SIGKILL, 5.0))


def start(state_dir: Path, names: Sequence[str] = tuple(SERVICES)) -> list[str]:
    """Start services and wait until they answer; return the names of those started."""
    state_dir = state_dir.resolve()
    with _only_one(state_dir):
        absent = [name for name in names if SERVICES[name].find(state_dir) is None]
        for name in names:
            SERVICES[name].start(state_dir)
    return absent


def restore(state_dir: Path, names: Sequence[str]) -> list[str]:
    """Start again what has died meanwhile, and return its names."""
    dead = [name for name in names if SERVICES[name].find(state_dir) is None]
    return start(state_dir, dead) if dead else []


def stop(state_dir: Path) -> list[str]:
    """Stop what runs, and return its names."""
    state_dir = state_dir.resolve()
    if not state_dir.exists():
        return []
    with _only_one(state_dir):
        return [name for name, service in SERVICES.items() if service.stop(state_dir)]


@contextmanager
def demonstration(state_dir: Path) -> Iterator[None]:
    """Be the demonstration of this state directory, unless there is one."""
    if find_demonstration(state_dir) is not None:
        raise EmbeddedError("The demonstration already runs here; `make stop` ends it.")
    pid_file = _pid_file(state_dir)
    pid_file.parent.mkdir(parents=True, exist_ok=True)
    pid_file.write_text(f"{os.getpid()}\n", encoding="ascii")
    yield
    pid_file.unlink(missing_ok=True)


def find_demonstration(state_dir: Path) -> psutil.Process | None:
    """Return the running demonstration."""
    return processes.recorded(_pid_file(state_dir), sign=SIGN)


def _pid_file(state_dir: Path) -> Path:
    return state_dir / "demo.pid"


@contextmanager
def _only_one(state_dir: Path) -> Iterator[None]:
    """Be the only process that starts or stops services."""
    try:
        with processes.locked(state_dir / "start.lock"):
            yield
    except PermissionError as error:
        raise EmbeddedError(f"{state_dir} belongs to another user; set STATE_DIR.") from error
