"""`manage.py preview RELEASE`: replay questions on a release, here and now."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from evaluation.models import Preview
from evaluation.preview import replay, report_of, start_preview
from taxonomy.management.commands.publish import numbered
from zol.commands import ProgressBar
from zol.errors import BadInput
from zol.tenancy import serving


class Command(BaseCommand):
    help = (
        "Compare the answers of a submitted release with the live version, as an evaluation "
        "worker does by itself. Without it no release can be approved."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=int, metavar="RELEASE", help="the release's number")
        parser.add_argument("--hospital", default="", metavar="SLUG")

    def handle(self, *args: Any, **options: Any) -> None:
        release = numbered(options["release"], options["hospital"])
        with serving(release.hospital_id), translation.override("en"):
            try:
                preview = start_preview(release)
            except BadInput as error:
                raise CommandError(str(error)) from error
            self._replay(preview)

    def _replay(self, preview: Preview) -> None:
        done = preview.items.count()
        with ProgressBar(self.stdout, preview.total, done=done, name="Preview") as progress:
            replay(preview, progress.advance)
        if preview.state != Preview.State.FINISHED:
            raise CommandError(f"The preview stopped early: {preview.failure}")
        report = report_of(preview)
        self.stdout.write(f"{report['changed']} of {report['questions']} answers change.")
        for key in report["broken"]:
            self.stdout.write(f"would fail: {key}")
