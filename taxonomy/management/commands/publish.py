"""`manage.py publish RELEASE --by USER`: make an approved release live."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from taxonomy.models import Release
from taxonomy.services.going_live import publish_release
from taxonomy.services.releases import approve
from zol.acting import acting
from zol.commands import chosen_hospital, named_user
from zol.errors import StepRefused
from zol.models import Hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Publish an approved release, with the permissions and the four eyes of the pages."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=int, metavar="RELEASE", help="the release's number")
        parser.add_argument("--by", required=True, metavar="USER", help="who publishes it")
        parser.add_argument("--hospital", default="", metavar="SLUG")
        parser.add_argument(
            "--approve", action="store_true", help="approve it first, as another than its authors"
        )
        parser.add_argument(
            "--reason", default="", help="why, if it breaks golden questions; kept with it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user, number = named_user(options["by"]), options["release"]
        for hospital in self._hospitals(options["hospital"]):
            with serving(hospital), acting(user), translation.override("en"):
                if release := Release.objects.filter(pk=number).first():
                    self._publish(release, user, options)
                    return
        raise CommandError(f"There is no release {number}.")

    def _hospitals(self, slug: str) -> list[Hospital]:
        """Return where to look: a release's number is used once in the whole database."""
        return [chosen_hospital(slug)] if slug else list(Hospital.objects.order_by("pk"))

    def _publish(self, release: Release, user: Any, options: dict[str, Any]) -> None:
        try:
            if options["approve"]:
                approve(release, by=user)
            version = publish_release(release, by=user, reason=options["reason"])
        except StepRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Version {version.number} is live: release {release}.")
