"""`manage.py erase_conversation`: erase conversations for a patient who asks."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from chat.erasure import Sought, erase, going
from zol.access.roles import ERASE
from zol.commands import chosen_hospital, named_user
from zol.errors import BadInput
from zol.tenancy import acting, serving


class Command(BaseCommand):
    help = (
        "Erase conversations with all that was made of them, for a patient who asks. Without --yes "
        "it only tells what would go. The audit log keeps who, when, why and how many."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "reference", nargs="?", default="", help="of a conversation or a message"
        )
        parser.add_argument("--day", type=date.fromisoformat, help="asked on this day: 2026-03-31")
        parser.add_argument("--words", default="", help="words of one question, in any order")
        parser.add_argument("--reason", required=True, help="why, without words of the patient")
        parser.add_argument("--by", required=True, metavar="USER", help="who erases it")
        parser.add_argument("--hospital", default="", metavar="SLUG")
        parser.add_argument("--yes", action="store_true", help="erase what was told without it")

    def handle(self, *args: Any, **options: Any) -> None:
        user, hospital = named_user(options["by"]), chosen_hospital(options["hospital"])
        sought = Sought(options["reference"], options["day"], options["words"])
        with serving(hospital), acting(user), translation.override("en"):
            if not user.has_perm(ERASE):
                raise CommandError(f"“{user}” may not erase conversations of {hospital}.")
            try:
                if not options["yes"]:
                    raise CommandError(
                        f"{told(going(sought.conversations()))} would go: add --yes."
                    )
                self.stdout.write(f"Erased: {told(erase(sought, by=user, why=options['reason']))}.")
            except BadInput as error:
                raise CommandError(str(error)) from error


def told(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items())
