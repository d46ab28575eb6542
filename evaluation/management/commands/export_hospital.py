"""`manage.py export_hospital SLUG DIR`: write a hospital as a pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from taxonomy.packs.folder import export_pack
from zol.models import Hospital


class Command(BaseCommand):
    help = "Write a hospital as a pack, which load_hospital can read."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("folder", type=Path, metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        hospital = Hospital.objects.filter(slug=options["slug"]).first()
        if hospital is None:
            known = ", ".join(Hospital.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no hospital {options['slug']}. Known: {known}.")
        folder: Path = options["folder"]
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CommandError(f"{folder} is not an empty folder.")
        try:
            number = export_pack(hospital, folder)
        except OSError as error:
            message = f"{error.filename or folder} cannot be written: {error.strerror}."
            raise CommandError(message) from error
        self.stdout.write(f"{number} files in {folder}")
