"""`manage.py classify_chunk "TEXT"`: print the content category of a text, with the evidence."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from retrieval.categories import classifier_of
from retrieval.ingestion.knowledge import current_snapshot
from zol.commands import chosen_hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Print the content category of a text, and the keywords that decide it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("text", metavar="TEXT")
        parser.add_argument("--hospital", metavar="SLUG", default="")

    def handle(self, *, text: str, hospital: str, **_: Any) -> None:
        if not text.strip():
            raise CommandError("The text is empty.")
        with serving(chosen_hospital(hospital)):
            verdict = current_snapshot().derived(classifier_of).classify(text)
        self.stdout.write(verdict.category)
        for category, score in verdict.scores.items():
            words = ", ".join(f"{text} {weight:.2f}" for text, weight in verdict.matched[category])
            self.stdout.write(f"  {category:<14} {score:6.2f}  {words}")
