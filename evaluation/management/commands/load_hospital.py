"""`manage.py load_hospital DIR`: a hospital from its pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evaluation.packs.ingest import ingest_and_wait
from evaluation.packs.mistakes import PackRefused
from evaluation.packs.read import read_pack
from evaluation.packs.records import Pack
from evaluation.packs.write import load_pack
from taxonomy.models import LivePointer
from taxonomy.services.publishing import publish
from zol.models import Hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Load a hospital pack: all of it, or nothing and every mistake by file, line and column."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument(
            "--publish",
            action="store_true",
            help="publish the first version; later ones go through a release",
        )
        parser.add_argument("--ingest", action="store_true", help="ingest the pages, and wait")
        parser.add_argument("--dry-run", action="store_true", help="say what would change")

    def handle(self, *args: Any, **options: Any) -> None:
        pack = self._read(options["folder"])
        if options["publish"]:
            self._refuse_second_publication(pack)
        try:
            hospital, changes = load_pack(pack, dry_run=options["dry_run"])
        except PackRefused as error:
            raise CommandError(f"{error}\n{self._verdict(error)}") from error
        for line in changes.lines():
            self.stdout.write(line)
        if options["dry_run"]:
            self.stdout.write("A dry run: nothing was written.")
            return
        if options["publish"]:
            version = publish(hospital, by=None, note=f"First version, from {pack.profile.slug}")
            self.stdout.write(f"Published version {version.number}.")
        if options["ingest"] and not ingest_and_wait(hospital, self.stdout):
            raise CommandError("Some pages could not be ingested; the lines above say why.")

    def _read(self, folder: Path) -> Pack:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.")
        try:
            pack = read_pack(folder)
        except PackRefused as error:
            raise CommandError(f"{error}\n{self._verdict(error)}") from error
        for warning in pack.warnings:
            self.stderr.write(f"{warning.place}: warning: {warning.sentence}")
        return pack

    def _verdict(self, error: PackRefused) -> str:
        number = len(error.mistakes)
        return f"{number} mistake{'s' if number != 1 else ''}; nothing was loaded."

    def _refuse_second_publication(self, pack: Pack) -> None:
        hospital = Hospital.objects.filter(slug=pack.profile.slug).first()
        if hospital is None:
            return
        with serving(hospital):
            is_published = LivePointer.objects.exists()
        if is_published:
            raise CommandError(
                f"{pack.profile.slug} has a published version already: load without --publish "
                "and open a release. Nothing was loaded."
            )
