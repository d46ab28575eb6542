"""Stops the services when their last user ended without a goodbye, such as by kill -9.

It sleeps in the kernel until nobody holds the users' lock. It holds `keeper.lock` while it lives,
and gives it back before the start lock, so that whoever joins next sees that it needs a new keeper.
"""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

from zol.embedded import locks


def keep(state_dir: Path, life: int) -> None:
    """Wait for the last user to go, and stop what it left running."""
    from zol.embedded import lease  # noqa: PLC0415  (whoever started us need not wait for this)

    users = locks.open_lock(state_dir / "users.lock")
    while True:
        fcntl.flock(users, fcntl.LOCK_EX)
        # Not while waiting for the start lock: its holder may be waiting to become a user.
        fcntl.flock(users, fcntl.LOCK_UN)
        if not state_dir.exists():
            return
        with locks.locked(state_dir / "start.lock"):
            if lease.stop_if_unused(state_dir, users):
                os.close(life)
                os._exit(0)  # at once, so that nothing is running when the last user returns


def main() -> None:
    state_dir, life = Path(sys.argv[1]), int(sys.argv[2])
    if os.fork():
        return
    os.setsid()
    keep(state_dir, life)


if __name__ == "__main__":
    main()
