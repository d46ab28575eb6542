"""Tests that run side by side (`pytest -n 2`): each process has services of its own, and some need the machine.

A test marked `alone` measures time: while it runs, no other test does.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: "gw0", "gw1", …; empty where all tests run in one process.
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")


def own(folder: Path) -> Path:
    """Return the folder for this process's services: a run's processes must not meet in one."""
    return folder if not WORKER or folder.name == WORKER else folder / WORKER


def shared(folder: Path) -> Path:
    """Return the folder that a run's processes have together; the folder may be one's `own`."""
    return folder.parent if WORKER and folder.name == WORKER else folder


@contextmanager
def room(folder: Path, *, alone: bool) -> Iterator[None]:
    """Hold the machine together with other tests, or alone; the folder is this process's `own`.

    Who waits to be alone keeps the door, so that others cannot go in one after another for ever.
    """
    if not WORKER:
        yield
        return
    with _file(folder, "door") as door, _file(folder, "room") as place:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(place, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        yield


@contextmanager
def _file(folder: Path, name: str) -> Iterator[int]:
    folder.mkdir(parents=True, exist_ok=True)
    # Closing lets go of the lock.
    with (shared(folder) / name).open("w") as held:
        yield held.fileno()
