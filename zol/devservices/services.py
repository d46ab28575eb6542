"""Start and stop the embedded services of a state directory, also for management commands.

The first command that needs a service starts it; it runs until `make stop`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import django
import psutil
import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, execute_from_command_line
from django.db import connections
from django.db.utils import OperationalError as DatabaseIsAway
from kombu.exceptions import OperationalError as BrokerIsAway

from zol.devservices import locations, postgres, redis
from zol.errors import EmbeddedError
from zol.runtime import processes

SERVICES = {"postgres": postgres, "redis": redis}
#: Part of the command line of the demonstration, by which its process is recognised.
SIGN = "manage.py demo"
#: Signals to end it, with seconds; longer than its own programs may take to end.
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
    """Restart services that have died; return their names."""
    dead = [name for name in names if SERVICES[name].find(state_dir) is None]
    return start(state_dir, dead) if dead else []


def stop(state_dir: Path) -> list[str]:
    """Stop the running services; return their names."""
    state_dir = state_dir.resolve()
    if not state_dir.exists():
        return []
    with _only_one(state_dir):
        return [name for name, service in SERVICES.items() if service.stop(state_dir)]


@contextmanager
def demonstration(state_dir: Path) -> Iterator[None]:
    """Register this process as the demonstration of a state directory, unless one runs."""
    if find_demonstration(state_dir) is not None:
        raise EmbeddedError("The demonstration already runs here; `make stop` ends it.")
    pid_file = _pid_file(state_dir)
    pid_file.parent.mkdir(parents=True, exist_ok=True)
    pid_file.write_text(f"{os.getpid()}\n", encoding="ascii")
    yield
    pid_file.unlink(missing_ok=True)


def find_demonstration(state_dir: Path) -> psutil.Process | None:
    """Return the process of the running demonstration."""
    return processes.recorded(_pid_file(state_dir), sign=SIGN)


def _pid_file(state_dir: Path) -> Path:
    return state_dir / "demo.pid"


@contextmanager
def _only_one(state_dir: Path) -> Iterator[None]:
    """Hold the lock of starting and stopping services."""
    try:
        with processes.locked(state_dir / "start.lock"):
            yield
    except PermissionError as error:
        raise EmbeddedError(f"{state_dir} belongs to another user; set STATE_DIR.") from error


#: Commands that need no services, or manage them themselves.
WITHOUT_SERVICES = frozenset(
    {"help", "version", "--version", "diffsettings", "findstatic", "collectstatic", "spectacular"}
    | {"makemigrations", "makemessages", "compilemessages", "demo", "stop_services"}
    | {"database_setup"}
)


def needs_services(arguments: Sequence[str]) -> bool:
    """Return whether a command needs PostgreSQL or Redis; `check` only with --database."""
    command = arguments[0] if arguments else "help"
    if command in WITHOUT_SERVICES or not {"-h", "--help"}.isdisjoint(arguments):
        return False
    return command != "check" or any(each.startswith("--database") for each in arguments)


def prepare(arguments: Sequence[str]) -> None:
    """Start the embedded services that the settings point to, and migrate an empty database."""
    if not needs_services(arguments):
        return
    embedded = locations.embedded_services(
        settings.STATE_DIR, settings.OWNER_URL, settings.REDIS_URL
    )
    if not embedded:
        return
    start(settings.STATE_DIR, embedded)
    if "postgres" in embedded and arguments[0] != "migrate":
        migrate_if_empty(settings.STATE_DIR)


def migrate_if_empty(state_dir: Path) -> None:
    """Migrate a database without tables; concurrent processes do it once.

    A file marks a migration in progress: one that was killed is repeated.
    """
    mark = state_dir / "migrating"
    if not mark.exists() and not is_empty(state_dir):
        return
    with processes.locked(state_dir / "migrate.lock"):
        if not mark.exists() and not is_empty(state_dir):
            return
        mark.touch()
        sys.stderr.write("The database is empty: creating its tables.\n")
        django.setup()
        call_command("migrate", interactive=False, verbosity=0)
        connections.close_all()
        mark.unlink()


def is_empty(state_dir: Path) -> bool:
    """Return whether the database was never migrated."""
    with psycopg.connect(locations.database_url(state_dir)) as database:
        found = database.execute("SELECT to_regclass('public.django_migrations')").fetchone()
    return found is None or found[0] is None


def run(
    words: Sequence[str], execute: Callable[[list[str]], None] = execute_from_command_line
) -> None:
    """Run a command line; errors of the environment end it with a message and status 1.

    `--traceback` shows their traceback.
    """
    try:
        prepare(words[1:])
        execute([*words])
    except (EmbeddedError, ImproperlyConfigured, DatabaseIsAway, BrokerIsAway) as error:
        if "--traceback" in words:
            raise
        sys.exit(_sentence(error))


def _sentence(error: Exception) -> str:
    text = str(error).strip()
    match error:
        case DatabaseIsAway():
            return f"PostgreSQL does not answer (DATABASE_URL): {text}"
        case BrokerIsAway():
            return f"Redis does not answer (REDIS_URL): {text}"
    return text
