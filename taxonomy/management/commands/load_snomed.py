"""`manage.py load_snomed DIR`: a release of SNOMED CT, for all hospitals."""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from time import process_time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from taxonomy.snomed.files import ReleaseRefused
from taxonomy.snomed.loading import LessThanBefore, LoadingSteps, LoadResult, Wish, load_release
from taxonomy.snomed.proposals import propose
from zol.languages import LANGUAGES
from zol.models import Hospital


class Command(BaseCommand):
    help = (
        "Load an RF2 Snapshot release of SNOMED CT in the place of the present one: all of it,"
        " or nothing and the first mistake by file and line. See docs/snomed.md."
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
        parser.add_argument("--edition", default="", help="its name; default: the folder's")
        parser.add_argument("--again", action="store_true", help="load it even if it is in use")
        parser.add_argument("--dry-run", action="store_true", help="say what would change")
        parser.add_argument(
            "--replace-anyway",
            action="store_true",
            help="load it even if it is older than the one in use, or has less in it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wish = Wish(
            options["folder"],
            languages=frozenset(code.lower() for code in options["language"]),
            edition=options["edition"],
            again=options["again"],
            dry_run=options["dry_run"],
            replace_anyway=options["replace_anyway"],
        )
        if unknown := wish.languages - set(LANGUAGES):
            raise CommandError(f"Unknown language {', '.join(unknown)}: {', '.join(LANGUAGES)}.")
        started = process_time()
        try:
            loaded = self._load(wish)
        except LessThanBefore as error:
            raise CommandError(str(error)) from error
        except ReleaseRefused as error:
            raise CommandError(f"{error}\nNothing was loaded.") from error
        self._report(loaded, process_time() - started)
        if wish.dry_run:
            self.stdout.write("A dry run: nothing was written.")
        elif not loaded.is_known:
            self._propose()

    def _load(self, wish: Wish) -> LoadResult:
        with tqdm(unit="B", unit_scale=True, disable=not sys.stderr.isatty()) as bar:
            plain = bool(bar.disable)

            def say(what: str) -> None:
                if plain:
                    self.stdout.write(f"{what} …")
                    self.stdout.flush()
                else:
                    bar.set_description(what)

            return load_release(wish, LoadingSteps(say, bar.reset, bar.update))

    def _report(self, loaded: LoadResult, cpu: float) -> None:
        release = loaded.release
        if loaded.is_known:
            self.stdout.write(f"{release} is loaded already; nothing changed.")
            return
        self.stdout.write(f"{release} ({', '.join(release.languages)})")
        for name, count in [*release.counts.items(), *release.changes.items()]:
            self.stdout.write(f"{count:>12,} {name}")
        for line in loaded.affected:
            self.stdout.write(f"  {line}")
        if loaded.more:
            self.stdout.write(f"  … and {loaded.more:,} more, in the back office.")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        self.stdout.write(
            f"{release.seconds:.1f} s ({cpu:.1f} s of processor time), peak memory {peak:,} MiB"
        )

    def _propose(self) -> None:
        for hospital in Hospital.objects.order_by("slug"):
            found = propose(hospital)
            self.stdout.write(f"{hospital.slug}: {found.made} proposals for staff to decide.")
            for entity in found.unknown_codes:
                self.stdout.write(
                    f"  {entity}: its code {entity.snomed} is no active concept of this release."
                )
