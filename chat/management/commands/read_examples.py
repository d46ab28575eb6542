"""Read the examples that come with the product once, for all who install it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.models import IntentExample
from chat.question.learned import sentence_vectors as meaning
from chat.question.learned.emergencies import told_of
from chat.question.learned.examples import examples_of
from retrieval.embedding import Embedder, get_hearer, get_listener
from taxonomy.lexicon import Lexicon
from taxonomy.models import LexiconConcept
from taxonomy.snapshot import Snapshot


class Command(BaseCommand):
    help = "Keep the vectors of the default examples beside them, after editing those."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, default=meaning.FILE, help="the file to write")
        parser.add_argument(
            "--alarms-to", type=Path, default=meaning.ALARMS_FILE, help="the one of emergencies"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = get_listener()
        if not embedder.languages:
            raise CommandError(f"The embedder {embedder.name} does not read sentences.")
        lexicon = Lexicon(_rows(LexiconConcept.defaults))
        examples = examples_of(_rows(IntentExample.defaults))
        said = [meaning.spoken(example, lexicon) for example in examples]
        read = {
            text
            for text, example in zip(said, examples, strict=True)
            if example.language in embedder.languages
        }
        self._keep(sorted(read), embedder, meaning.SIZE, options["to"])
        heard = {one.text for one in told_of(Snapshot(0, 0))}
        self._keep(sorted(heard), get_hearer(), meaning.ALARMS_SIZE, options["alarms_to"])

    def _keep(self, texts: list[str], embedder: Embedder, size: int, path: Path) -> None:
        rows = np.array([embedder.embed_query(text) for text in texts])
        meaning.write(texts, rows, meaning.directions_of(rows, size), embedder.model, path)
        self.stdout.write(f"{len(texts)} sentences are kept in {path}.")


def _rows(path: Path | None) -> list[dict[str, str]]:
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
