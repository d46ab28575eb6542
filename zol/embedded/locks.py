"""File locks between processes; the kernel releases them, also after kill -9."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def open_lock(path: Path) -> int:
    """Open a lock file; the descriptor is not inherited by programs that we start."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except PermissionError as error:
        raise PermissionError(f"{path.parent} belongs to another user; set STATE_DIR") from error


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Be the only one in the block, waiting for our turn."""
    lock = open_lock(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def share(path: Path) -> int:
    """Hold a shared lock until the returned descriptor is closed."""
    lock = open_lock(path)
    fcntl.flock(lock, fcntl.LOCK_SH)
    return lock


def try_exclusive(lock: int) -> bool:
    """Turn a lock into an exclusive one if nobody else holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
