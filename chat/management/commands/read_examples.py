"""Read the examples that come with the product once, for all who install it."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.models import IntentExample
from chat.understanding import meaning
from chat.understanding.alarm import told_of
from chat.understanding.examples import examples_of
from retrieval.embedding import Embedder, get_listener
from taxonomy.lexicon import Lexicon
from taxonomy.models import LexiconConcept
from taxonomy.snapshot import Snapshot


class Command(BaseCommand):
    help = "Keep the vectors of the default examples beside them, after editing those."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, default=meaning.FILE, help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = get_listener()
        if not embedder.languages:
            raise CommandError(f"The embedder {embedder.name} does not read sentences.")
        lexicon = Lexicon(_rows(LexiconConcept.defaults))
        asked = _said(examples_of(_rows(IntentExample.defaults)), lexicon, embedder)
        told = _said(told_of(Snapshot(0, 0)), lexicon, embedder) - asked
        texts = [*sorted(asked), *sorted(told)]
        rows = embedder.embed_documents(texts)
        # Emergencies are few: questions alone say in which directions questions differ.
        basis = meaning.directions_of(rows[: len(asked)])
        meaning.write(texts, rows, basis, embedder.model, options["to"])
        self.stdout.write(f"{len(texts)} sentences are kept in {options['to']}.")


def _said(samples: Iterable[meaning.Sample], lexicon: Lexicon, embedder: Embedder) -> set[str]:
    return {
        meaning.spoken(sample, lexicon)
        for sample in samples
        if sample.language in embedder.languages
    }


def _rows(path: Path | None) -> list[dict[str, str]]:
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
