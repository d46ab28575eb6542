"""Paths and addresses of the embedded services; nothing is started here.

The settings import this module, so it uses the standard library only (as does `zol.errors`).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
from pathlib import Path
from urllib.parse import quote

from zol.errors import EmbeddedError

DATABASE = "zol"
OWNER = "zol_owner"
#: The kernel accepts 108 bytes (macOS 104); a little is left for suffixes of lock files.
LONGEST_SOCKET_PATH = 100
POSTGRES_SOCKET = ".s.PGSQL.5432"


def fingerprint(state_dir: Path) -> str:
    """Return a short name for a state directory, the same in every process."""
    return hashlib.sha256(os.fsencode(state_dir.resolve())).hexdigest()[:12]


def socket_directory(state_dir: Path) -> Path:
    """Return the directory of the sockets, whose paths are short enough for the kernel.

    The fallback ignores TMPDIR, which may differ between two users of one state directory.
    """
    run = state_dir.resolve() / "run"
    if len(os.fsencode(run / POSTGRES_SOCKET)) <= LONGEST_SOCKET_PATH:
        return run
    return Path("/tmp") / f"zol-{fingerprint(state_dir)}"  # noqa: S108 (created private, see postgres.py)


def redis_socket(state_dir: Path) -> Path:
    return socket_directory(state_dir) / "redis.sock"


def database_url(state_dir: Path, database: str = DATABASE) -> str:
    """Return the owner's address of the embedded database."""
    password = secret(state_dir, "postgres_password")
    host = quote(str(socket_directory(state_dir)), safe="")
    return f"postgresql://{OWNER}:{password}@/{database}?host={host}"


def redis_url(state_dir: Path) -> str:
    return f"unix://{redis_socket(state_dir)}"


def embedded_services(state_dir: Path, database_url: str, redis_url: str) -> tuple[str, ...]:
    """Return the services whose addresses point into the state directory."""
    host = quote(str(socket_directory(state_dir)), safe="")
    expected = {
        "postgres": f"host={host}" in database_url,
        "redis": str(redis_socket(state_dir)) in redis_url,
    }
    return tuple(name for name, here in expected.items() if here)


def secret(state_dir: Path, name: str) -> str:
    """Return a secret, generated on first use."""
    try:
        return _kept(state_dir, name)
    except OSError as error:
        what = f"{error.strerror}: {error.filename}"
        raise EmbeddedError(f"STATE_DIR {state_dir} cannot be used: {what}") from error


def _kept(state_dir: Path, name: str) -> str:
    path = state_dir / "secrets.json"
    known = _read(path)
    if name in known:
        return known[name]
    state_dir.mkdir(parents=True, exist_ok=True)
    with (state_dir / "secrets.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = _read(path)
        if name not in known:
            known |= {name: secrets.token_urlsafe(48)}
            _write(path, known)
    return known[name]


def _read(path: Path) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return dict(json.loads(text))


def _write(path: Path, known: dict[str, str]) -> None:
    """Replace the file atomically: readers see the old or the new one, also after a crash."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(draft, flags, mode=0o600), "w", encoding="utf-8") as file:
        json.dump(known, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
