"""Migrations are the owner's work: the application's role may not change tables."""

from __future__ import annotations

from django.core.management.base import CommandParser
from django.core.management.commands import migrate


class Command(migrate.Command):
    """Django's own, with the owner's connection unless another is named."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")
