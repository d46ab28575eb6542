"""`manage.py create_demo_users --demo`: one login for each role, with a documented password."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from zol.commands import chosen_hospital
from zol.models import Membership, Role
from zol.tenancy import serving

#: Public, in docs/back-office.md; hence for demonstrations only.
PASSWORD = "demo-zol-2026"  # noqa: S105


class Command(BaseCommand):
    help = "Create one login per role for a demonstration. Running it twice changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hospital", default="", metavar="SLUG")
        parser.add_argument(
            "--demo",
            action="store_true",
            help="confirm that this is a demonstration: everybody knows these passwords",
        )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        if settings.HTTPS or not options["demo"]:
            raise CommandError(
                "These passwords are public. Add --demo for a demonstration; "
                "a site that is served over HTTPS never gets them."
            )
        hospital = chosen_hospital(options["hospital"])
        with serving(hospital):
            for role in Role:
                self._ensure(hospital.pk, role)
        names = ", ".join(str(role) for role in Role)
        self.stdout.write(f"  Logins for {hospital.short_name}: {names}\n  Password: {PASSWORD}")

    @staticmethod
    def _ensure(hospital_id: int, role: Role) -> None:
        users = get_user_model().objects
        user, is_new = users.get_or_create(username=str(role), defaults={"is_staff": True})
        if is_new:
            user.set_password(PASSWORD)
            user.save(update_fields=["password"])
        Membership.objects.get_or_create(hospital_id=hospital_id, user=user, role=role)
