"""What happens before a management command runs: its services are there, and their tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db.utils import OperationalError as DatabaseIsAway
from kombu.exceptions import OperationalError as BrokerIsAway

from zol.embedded import locations
from zol.embedded.errors import EmbeddedError

#: Commands that only read code or files, and two that manage the services themselves.
WITHOUT_SERVICES = frozenset(
    {"help", "version", "--version", "diffsettings", "findstatic", "collectstatic", "spectacular"}
    | {"makemigrations", "makemessages", "compilemessages", "demo", "stop_services"}
)


def needs_services(arguments: Sequence[str]) -> bool:
    """Say whether a command line needs PostgreSQL or Redis; a check does for a database only."""
    command = arguments[0] if arguments else "help"
    if command == "check_golden" and "--hospital" not in arguments:
        return False  # reads a folder
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
    from zol.embedded import lease, schema  # noqa: PLC0415

    lease.join(settings.STATE_DIR, embedded)
    if "postgres" in embedded and arguments[0] != "migrate":
        schema.migrate_if_empty(settings.STATE_DIR)


def run(words: Sequence[str]) -> None:
    """Run a command line. What the machine is to blame for ends it with a sentence, and status 1.

    `--traceback` shows where it happened.
    """
    try:
        prepare(words[1:])
        execute_from_command_line([*words])
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
