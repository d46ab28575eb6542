"""Read the examples that come with the product once, for all who install it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from chat.models import IntentExample
from chat.question.learned import sentence_vectors as meaning
from chat.question.learned.examples import examples_of
from retrieval.embedding import Embedder, get_hearer
from taxonomy.lexicon import Lexicon
from taxonomy.models import LexiconConcept


class Command(BaseCommand):
    help = "Keep the vectors of the default examples beside them, after editing those."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, default=meaning.FILE, help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        lexicon = Lexicon(_rows(LexiconConcept.defaults))
        examples = examples_of(_rows(IntentExample.defaults))
        read = {meaning.spoken(example, lexicon) for example in examples}
        self._keep(sorted(read), get_hearer(), meaning.SIZE, options["to"])

    def _keep(self, texts: list[str], embedder: Embedder, size: int, path: Path) -> None:
        rows = np.array([embedder.embed_query(text) for text in texts])
        # The directions in which vectors differ most.
        basis = np.linalg.svd(rows.T @ rows)[2][:size].T
        np.savez_compressed(
            path,
            model=embedder.model,
            directions=basis.astype(np.float16),
            texts=np.array([meaning.fingerprint(text) for text in texts], dtype=np.uint64),
            vectors=np.clip(np.rint(rows @ basis * meaning.SCALE), -127, 127).astype(np.int8),
        )
        self.stdout.write(f"{len(texts)} sentences are kept in {path}.")


def _rows(path: Path | None) -> list[dict[str, str]]:
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
