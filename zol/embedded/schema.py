"""An empty embedded database gets its tables before the first command looks for them."""

from __future__ import annotations

import sys
from pathlib import Path

import psycopg

from zol.embedded import locations, locks


def migrate_if_empty(state_dir: Path) -> None:
    """Migrate a database without tables; two processes at once do it once.

    A mark on disk shows a migration that was killed half-way, whose database is no longer empty.
    """
    mark = state_dir / "migrating"
    if not mark.exists() and not is_empty(state_dir):
        return
    with locks.locked(state_dir / "migrate.lock"):
        if not mark.exists() and not is_empty(state_dir):
            return
        mark.touch()
        _migrate()
        mark.unlink()


def is_empty(state_dir: Path) -> bool:
    """Say whether nothing was ever migrated here."""
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
