"""`manage.py make_snomed_sample DIR`: a made-up release, to try and to measure loading with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from taxonomy.snomed.synthetic import Size, write_release


class Command(BaseCommand):
    help = "Write a synthetic RF2 release (invented words, no SNOMED CT content), Belgian size."

    def add_arguments(self, parser: CommandParser) -> None:
        whole = Size()
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--concepts", type=int, default=whole.concepts)
        parser.add_argument("--descriptions", type=int, default=whole.descriptions)
        parser.add_argument("--relationships", type=int, default=whole.relationships)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        if folder.exists() and any(folder.iterdir()):
            raise CommandError(f"{folder} is not empty.")
        size = Size(options["concepts"], options["descriptions"], options["relationships"])
        if min(size.concepts, size.descriptions, size.relationships) < 2:
            raise CommandError("Give each part two or more.")
        write_release(folder, size, seed=options["seed"])
        self.stdout.write(f"Wrote a synthetic release to {folder}. It holds no SNOMED CT content.")
