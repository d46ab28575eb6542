"""Make the index of a hospital anew, with the embedding of the settings."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from retrieval.embedding import get_embedder
from retrieval.index.rebuilding import rebuild
from retrieval.models import Chunk
from zol.commands import chosen_hospital
from zol.errors import ExpectedError
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Embeds and indexes every chunk of a hospital anew; the old index serves until the swap."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hospital", default="", metavar="SLUG")

    def handle(self, *, hospital: str, **_: Any) -> None:
        row = chosen_hospital(hospital)
        embedder = get_embedder()
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
