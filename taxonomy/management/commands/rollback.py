"""`manage.py rollback VERSION --by USER`: make an earlier version live again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from taxonomy.models import Version
from taxonomy.publishing.going_live import activate
from zol.commands import chosen_hospital, named_user
from zol.errors import StepRefused
from zol.tenancy import acting, serving


class Command(BaseCommand):
    help = "Activate an earlier version. Nothing is deleted, and the draft stays as it is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "version", metavar="VERSION", help="number of the version, such as 3 or v3"
        )
        parser.add_argument("--hospital", default="", metavar="SLUG")
        parser.add_argument("--by", required=True, metavar="USER", help="account that goes back")
        parser.add_argument(
            "--reason", default="rollback", help="reason, which the audit log keeps"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        hospital, user = chosen_hospital(options["hospital"]), named_user(options["by"])
        number = options["version"].removeprefix("v")
        if not number.isdecimal():
            raise CommandError(
                f"“{options['version']}” is not a version: write a number such as 3."
            )
        with serving(hospital), acting(user), translation.override("en"):
            version = Version.objects.filter(number=int(number)).first()
            if version is None:
                raise CommandError(f"{hospital.slug} has no version {number}.")
            try:
                activate(version, by=user, why=options["reason"])
            except StepRefused as error:
                raise CommandError(str(error)) from error
        self.stdout.write(f"Version {number} is live again.")
