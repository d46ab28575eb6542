"""`manage.py migrate` as the database owner, with the default rows of the product."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.core.management.commands import migrate

from taxonomy.publishing.defaults import load_defaults


class Command(migrate.Command):
    """Django's command, by default with the connection of the owner.

    After a complete migration it also updates the shared default rows.
    """

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        is_part = options["app_label"] or options["plan"] or options["check_unapplied"]
        if settings.DEFAULTS_WITH_MIGRATE and not is_part:
            number = load_defaults(using=options["database"])
            if options["verbosity"]:
                self.stdout.write(f"Added {number} default rows.")
