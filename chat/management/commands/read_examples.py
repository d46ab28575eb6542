"""Read the example questions that come with the product once, for all who install it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.models import IntentExample
from chat.understanding import meaning
from chat.understanding.examples import examples_of
from retrieval.embedding import get_embedder
from taxonomy.lexicon import Lexicon
from taxonomy.models import LexiconConcept


class Command(BaseCommand):
    help = "Keep the vectors of the default example questions beside them, after editing those."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, default=meaning.FILE, help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = get_embedder()
        if not embedder.languages:
            raise CommandError(f"The embedder {embedder.name} does not read sentences.")
        lexicon = Lexicon(_rows(LexiconConcept.defaults))
        texts = sorted(
            {
                meaning.spoken(example, lexicon)
                for example in examples_of(_rows(IntentExample.defaults))
                if example.language in embedder.languages
            }
        )
        meaning.write(texts, embedder.embed_documents(texts), embedder.model, options["to"])
        self.stdout.write(f"{len(texts)} sentences are kept in {options['to']}.")


def _rows(path: Path | None) -> list[dict[str, str]]:
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
