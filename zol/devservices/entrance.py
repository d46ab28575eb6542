"""Prepare a management command: start its services, create missing tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db.utils import OperationalError as DatabaseIsAway
from kombu.exceptions import OperationalError as BrokerIsAway

from zol.devservices import locations
from zol.errors import EmbeddedError
from zol.runtime import processes

#: Commands that only read code or files, and two that manage the services themselves.
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
    """Join the embedded services that the settings point to, and fill an empty database."""
    if not needs_services(arguments):
        return
    from django.conf import settings  # noqa: PLC0415  (help needs no settings)

    embedded = locations.embedded_services(
        settings.STATE_DIR, settings.OWNER_URL, settings.REDIS_URL
    )
    if not embedded:
        return
    # Production has neither wheel: it never comes here.
    from zol.devservices import services  # noqa: PLC0415

    services.start(settings.STATE_DIR, embedded)
    if "postgres" in embedded and arguments[0] != "migrate":
        migrate_if_empty(settings.STATE_DIR)


def migrate_if_empty(state_dir: Path) -> None:
    """Migrate a database without tables; two processes at once do it once.

    A mark on disk shows a migration that was killed half-way, whose database is no longer empty.
    """
    mark = state_dir / "migrating"
    if not mark.exists() and not is_empty(state_dir):
        return
    with processes.locked(state_dir / "migrate.lock"):
        if not mark.exists() and not is_empty(state_dir):
            return
        mark.touch()
        _migrate()
        mark.unlink()


def is_empty(state_dir: Path) -> bool:
    """Say whether nothing was ever migrated here."""
    import psycopg  # noqa: PLC0415  (help needs no database)

    with psycopg.connect(locations.database_url(state_dir)) as database:
        found = database.execute("SELECT to_regclass('public.django_migrations')").fetchone()
    return found is None or found[0] is None


def _migrate() -> None:
    import django  # noqa: PLC0415  (only the first command of all pays for it here)
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    sys.stderr.write("The database is empty: creating its tables.\n")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    connections.close_all()


def run(
    words: Sequence[str], execute: Callable[[list[str]], None] = execute_from_command_line
) -> None:
    """Run a command line. What the machine is to blame for ends it with a sentence, and status 1.

    `--traceback` shows where it happened.
    """
    try:
        prepare(words[1:])
        execute([*words])
    except (EmbeddedError, ImproperlyConfigured, DatabaseIsAway, BrokerIsAway) as error:
        if "--traceback" in words:
            raise
        sys.exit(_sentence(error))


def _sentence(error: Exception) -> str:
    said = str(error).strip()
    match error:
        case DatabaseIsAway():
            return f"PostgreSQL does not answer (DATABASE_URL): {said}"
        case BrokerIsAway():
            return f"Redis does not answer (REDIS_URL): {said}"
    return said
