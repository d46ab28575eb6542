"""`manage.py load_snomed DIR`: a release of SNOMED CT, for all hospitals."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from taxonomy.snomed.files import ReleaseRefused
from taxonomy.snomed.loading import LoadingSteps, load_release
from taxonomy.snomed.proposals import propose
from zol.languages import LANGUAGES
from zol.models import Hospital


class Command(BaseCommand):
    help = (
        "Replace the SNOMED CT release in use by an RF2 Snapshot release. After the first mistake"
        " nothing is loaded, and its file and line are printed. See docs/snomed.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="the unpacked release")
        parser.add_argument(
            "--language",
            action="append",
            default=[],
            metavar="CODE",
            help="load only the descriptions of this language; may be repeated; default: all",
        )
        parser.add_argument(
            "--edition", default="", help="name of the release; default: the folder's"
        )
        parser.add_argument(
            "--replace-anyway",
            action="store_true",
            help="load the release even if it is older or smaller than the one in use",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        languages = frozenset(code.lower() for code in options["language"])
        if unknown := languages - set(LANGUAGES):
            raise CommandError(f"Unknown language {', '.join(unknown)}: {', '.join(LANGUAGES)}.")
        try:
            with tqdm(unit="B", unit_scale=True, disable=not sys.stderr.isatty()) as bar:
                release, is_new = load_release(
                    options["folder"], languages=languages, edition=options["edition"],
                    replace_anyway=options["replace_anyway"], progress=self._progress(bar),
                )  # fmt: skip
        except ReleaseRefused as error:
            raise CommandError(f"{error}\nNothing was loaded.") from error
        if not is_new:
            self.stdout.write(f"{release} is loaded already; nothing changed.")
            return
        self.stdout.write(f"{release} ({', '.join(release.languages)})")
        for name, count in [*release.counts.items(), *release.changes.items()]:
            self.stdout.write(f"{count:>12,} {name}")
        self.stdout.write(f"{release.seconds:.1f} s, peak memory {release.peak_mib:,} MiB")
        self._propose()

    def _progress(self, bar: Any) -> LoadingSteps:
        def announce(what: str) -> None:
            if bar.disable:
                self.stdout.write(f"{what} …")
                self.stdout.flush()
            else:
                bar.set_description(what)

        return LoadingSteps(announce, bar.reset, bar.update)

    def _propose(self) -> None:
        for hospital in Hospital.objects.order_by("slug"):
            made, unknown = propose(hospital)
            self.stdout.write(f"{hospital.slug}: {made} proposals for staff to decide.")
            for entity in unknown:
                self.stdout.write(
                    f"  {entity}: its code {entity.snomed} is no active concept of this release."
                )
