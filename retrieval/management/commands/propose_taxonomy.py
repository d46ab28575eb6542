"""Read the ingested pages for what the taxonomy may lack; staff decide on each proposal."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from retrieval.population import propose
from taxonomy.models import PopulationCue
from zol.commands import chosen_hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Propose entities, other words and relations that the pages state. Nothing is approved."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hospital", default="", help="its slug, if there are several")

    def handle(self, *args: Any, **options: Any) -> None:
        hospital = chosen_hospital(options["hospital"])
        with serving(hospital):
            if not PopulationCue.objects.exists():
                self.stderr.write("No words that lead to proposals: see them in the admin.")
            with tqdm(unit="page", disable=None, leave=False) as bar:
                found = propose(hospital, progress=partial(_move, bar))
        made = ", ".join(f"{number} {sort}" for sort, number in sorted(found.made.items()))
        self.stdout.write(f"{found.pages} pages read: {found.total} new proposals ({made or '-'}).")
        self.stdout.write(f"{found.known} were proposed before.")
        for reason, number in found.refused.most_common():
            self.stdout.write(f"  left out {number:>4}: {reason}")


def _move(bar: tqdm[Any], done: int, total: int) -> None:
    bar.total = total
    bar.update(done - bar.n)
