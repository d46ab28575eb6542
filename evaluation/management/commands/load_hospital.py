"""`manage.py load_hospital DIR`: load a hospital from its pack, and optionally ingest its pages."""

from __future__ import annotations

import time
from pathlib import Path
from subprocess import Popen
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from retrieval import services
from retrieval.ingestion.process import State
from retrieval.models import Document, IngestionRun
from taxonomy.models import LivePointer
from taxonomy.packs.findings import PackRefused
from taxonomy.packs.folder import Pack, load_pack, read_pack
from taxonomy.publishing.versions import publish
from zol.commands import ProgressBar, has_ended, log_of, workers
from zol.models import Hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = (
        "Load a hospital pack. If it has mistakes, print them all by file and line; load nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument(
            "--publish",
            action="store_true",
            help="publish the first version; publish later ones with a release",
        )
        parser.add_argument(
            "--ingest", action="store_true", help="ingest the pages, and wait until that is done"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="print what would change, and write nothing"
        )

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
            raise CommandError("Some pages could not be ingested; see the lines above.")

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


QUEUE = "ingest"
#: Seconds between two polls of the run, and between two recoveries.
TICK, RECOVERY = 0.25, 10.0
DONE = (State.PROCESSED, State.UNCHANGED, State.EMPTY, State.DEAD)


def ingest_and_wait(hospital: Hospital, output: Any) -> bool:
    """Ingest every page of a hospital; return whether all succeeded."""
    with serving(hospital):
        documents = list(Document.objects.exclude(status=Document.Status.WITHDRAWN))
        with workers(QUEUE, output) as own:
            run = services.start_run(hospital, documents, by=None, reason="hospital pack")
            _watch(run, own, output)
        found = services.counts(run)
        summary = ", ".join(f"{found[state]} {state}" for state in DONE if found[state])
        output.write(f"Pages: {summary or 'none'}.")
        for item in run.items.filter(state=State.DEAD).select_related("document"):
            output.write(f"  {item.document.path}: {item.reason}")
        for item in run.items.filter(state=State.EMPTY).select_related("document"):
            output.write(f"  {item.document.path}: {item.reason} (not searchable)")
    return run.state == IngestionRun.State.FINISHED and not found[State.DEAD]


def _watch(run: IngestionRun, own: Popen[bytes] | None, output: Any) -> None:
    recovered = time.monotonic()
    with ProgressBar(output, run.items.count(), name="Ingesting", unit="page") as progress:
        while True:
            found = services.counts(run)
            progress.advance(sum(found[state] for state in DONE) - progress.done)
            run.refresh_from_db(fields=["state"])
            if run.state != IngestionRun.State.RUNNING:
                return
            if own is not None and has_ended(own):
                output.write(
                    f"The worker ended with status {own.returncode}; what it said is in "
                    f"{log_of(QUEUE)}. The run can be resumed."
                )
                return
            if time.monotonic() - recovered > RECOVERY:
                services.recover(run.hospital_id)
                recovered = time.monotonic()
            time.sleep(TICK)
