"""`manage.py reindex`: rebuild a hospital's index with the configured embedding."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from retrieval.embedding import Embedder, get_embedder
from retrieval.index import is_outdated
from retrieval.index.writing import rebuild
from retrieval.models import Chunk
from zol.commands import chosen_hospital
from zol.errors import ExpectedError
from zol.models import Hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Embed and index every chunk of a hospital again; the old index serves until then."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hospital", default="", metavar="SLUG")
        parser.add_argument(
            "--outdated",
            action="store_true",
            help="only indexes made with another embedding; without --hospital, of all hospitals",
        )

    def handle(self, *, hospital: str, outdated: bool, **_: Any) -> None:
        embedder = get_embedder()
        if not outdated:
            self._rebuild(chosen_hospital(hospital), embedder)
            return
        chosen = [chosen_hospital(hospital)] if hospital else Hospital.objects.order_by("slug")
        for row in chosen:
            with serving(row):
                needs = is_outdated(embedder)
            if needs:
                self._rebuild(row, embedder)
            else:
                self.stdout.write(f"{row.slug}: the index is up to date.")

    def _rebuild(self, row: Hospital, embedder: Embedder) -> None:
        with serving(row):
            total = Chunk.objects.count()
            try:
                with tqdm(total=total, desc="embedding", unit="chunk", disable=None) as bar:
                    for more in rebuild(embedder):
                        bar.update(more)
            except ExpectedError as error:
                raise CommandError(f"The old index still serves: {error}") from error
        self.stdout.write(
            f"{row.slug}: {total} chunks indexed with {embedder.name} {embedder.model}, "
            f"{embedder.dimensions} numbers each."
        )
