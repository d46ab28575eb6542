"""Services start with their first user and stop with their last.

Every user holds a shared lock on `users.lock`; the kernel gives it back, also after kill -9. Who
starts or stops holds `start.lock`, so a service never stops under somebody who is just joining:
whoever finds nobody else on `users.lock` while holding `start.lock` was the last. A user that could
not say goodbye is followed up by the `keeper`.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zol.embedded import locks, postgres, processes, redis

SERVICES = {"postgres": postgres, "redis": redis}
PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of this process to use the services of a state directory."""

    state_dir: Path
    services: tuple[str, ...]
    descriptor: int
    pid: int

    def another(self) -> int:
        """Return an inheritable lease for a child, which keeps it as long as it lives."""
        descriptor = locks.share(_users(self.state_dir))
        os.set_inheritable(descriptor, True)  # noqa: FBT003 (its only parameter)
        return descriptor

    def restore(self) -> list[str]:
        """Start again what has died meanwhile, and return its names."""
        if all(SERVICES[name].find(self.state_dir) for name in self.services):
            return []
        with locks.locked(self.state_dir / "start.lock"):
            dead = [name for name in self.services if not SERVICES[name].find(self.state_dir)]
            for name in dead:
                SERVICES[name].start(self.state_dir)
        return dead

    def leave(self) -> None:
        """Give the right back, and stop the services if nobody else has one."""
        if self.pid != os.getpid() or _held.pop(self.state_dir, None) is None:
            return
        if not self.state_dir.exists():
            os.close(self.descriptor)
            return
        with locks.locked(self.state_dir / "start.lock"):
            # Trying gives our own lock away, and the keeper may have it for an instant.
            was_last = processes.wait_until(lambda: locks.try_exclusive(self.descriptor), 0.1)
            if was_last:
                stop_all(self.state_dir)
            os.close(self.descriptor)
        if was_last:
            _await_keeper(self.state_dir)


#: What this process holds, by state directory.
_held: dict[Path, Lease] = {}


def join(state_dir: Path, services: Sequence[str] = tuple(SERVICES)) -> Lease:
    """Use the services from now until this process ends; start what does not run."""
    state_dir = state_dir.resolve()
    held = _held.get(state_dir)
    is_mine = held is not None and held.pid == os.getpid()
    if held is None or not is_mine:
        held = Lease(state_dir, (), locks.share(_users(state_dir)), os.getpid())
    try:
        with locks.locked(state_dir / "start.lock"):
            _ensure_keeper(state_dir)
            for name in services:
                SERVICES[name].start(state_dir)
    except BaseException:
        if not is_mine:
            os.close(held.descriptor)
        raise
    lease = replace(held, services=tuple(dict.fromkeys([*held.services, *services])))
    _held[state_dir] = lease
    if not is_mine:
        atexit.register(lease.leave)
    return lease


def stop_if_unused(state_dir: Path, users: int) -> bool:
    """Stop everything if nobody holds the users' lock; say whether that was so."""
    unused = locks.try_exclusive(users)
    if unused:
        stop_all(state_dir)
        fcntl.flock(users, fcntl.LOCK_UN)
    return unused


def stop_all(state_dir: Path) -> list[str]:
    """Stop what runs and return its names. Needs the start lock."""
    return [name for name, service in SERVICES.items() if service.stop(state_dir)]


def _users(state_dir: Path) -> Path:
    return state_dir / "users.lock"


def _ensure_keeper(state_dir: Path) -> None:
    """Start the keeper unless there is one; it inherits the lock that proves it alive."""
    lock = locks.open_lock(state_dir / "keeper.lock")
    try:
        if locks.try_exclusive(lock):
            command = [sys.executable, "-m", "zol.embedded.keeper", str(state_dir), str(lock)]
            with (state_dir / "keeper.log").open("w") as log:
                subprocess.run(  # noqa: S603 (our own module)
                    command,
                    check=True,
                    cwd=PROJECT,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[lock],
                )
    finally:
        os.close(lock)


def _await_keeper(state_dir: Path) -> None:
    """Wait until the keeper has seen that its work is done, so that we leave nothing running."""
    lock = locks.open_lock(state_dir / "keeper.lock")
    processes.wait_until(lambda: locks.try_exclusive(lock), 5.0)
    os.close(lock)
