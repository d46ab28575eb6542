"""Migrations are the owner's work: the application's role may not change tables."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.core.management.commands import migrate

from taxonomy.publishing.defaults import load_defaults


class Command(migrate.Command):
    """Django's own, with the owner's connection unless another is named.

    Once all tables are as they should be, the default rows that hospitals share are, too.
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
