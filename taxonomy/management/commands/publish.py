"""`manage.py publish RELEASE --by USER`: make an approved release live."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from taxonomy.models import Release
from taxonomy.publishing.going_live import publish_release
from zol.commands import chosen_hospital, named_user
from zol.errors import StepRefused
from zol.models import Hospital
from zol.tenancy import acting, serving


class Command(BaseCommand):
    help = "Publish an approved release, under the same rules as in the back office."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=int, metavar="RELEASE", help="the release's number")
        parser.add_argument("--by", required=True, metavar="USER", help="account that publishes it")
        parser.add_argument("--hospital", default="", metavar="SLUG")
        parser.add_argument(
            "--reason",
            default="",
            help="required if golden questions would fail; --by must not be an author",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user, release = named_user(options["by"]), numbered(options["release"], options["hospital"])
        with serving(release.hospital_id), acting(user), translation.override("en"):
            try:
                version = publish_release(release, by=user, reason=options["reason"])
            except StepRefused as error:
                raise CommandError(str(error)) from error
        self.stdout.write(f"Version {version.number} is live: release {release}.")


def numbered(number: int, slug: str = "") -> Release:
    """Return a release by its number, which is used once in the whole database."""
    hospitals = [chosen_hospital(slug)] if slug else Hospital.objects.order_by("pk")
    for hospital in hospitals:
        with serving(hospital):
            if release := Release.objects.filter(pk=number).first():
                return release
    raise CommandError(f"There is no release {number}.")
