"""`manage.py check_texts`: whether every fixed text stands in every language, and says the same."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.selectors import text_flaws
from zol.commands import chosen_hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = (
        "Report fixed texts that are missing in a language, whose placeholders differ between "
        "languages, or that are much longer or shorter than their translations. Ends with an "
        "error when there are any."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hospital", help="slug")

    def handle(self, *args: Any, **options: Any) -> None:
        hospital = chosen_hospital(options["hospital"] or "")
        with serving(hospital):
            found = text_flaws()
        for flaw in found:
            self.stdout.write(f"{flaw.kind} · {flaw.language}: {flaw.what} {flaw.detail}".rstrip())
        if found:
            raise CommandError(f"{len(found)} texts of {hospital.slug} need somebody.")
        self.stdout.write(self.style.SUCCESS(f"All texts of {hospital.slug} are complete."))
