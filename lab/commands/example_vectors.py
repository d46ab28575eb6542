"""Read the examples that come with the product once, for all who install it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from chat.models import IntentExample
from chat.question.examples import FILE, SCALE, examples_of, filled, fingerprint
from lab.paths import DROPPED_EXAMPLES
from retrieval.embedding import get_encoder
from taxonomy.language.lexicon import Lexicon
from taxonomy.models import LexiconConcept


class Command(BaseCommand):
    help = "Keep the vectors of the default examples beside them, after editing those."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, default=FILE, help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        lexicon, encoder = Lexicon(_rows(LexiconConcept.defaults)), get_encoder()
        # Hospitals that were set up before keep their edition, and start as quickly.
        rows = [*_rows(IntentExample.defaults), *_rows(DROPPED_EXAMPLES)]
        examples = examples_of(rows)
        texts = sorted({filled(example, lexicon) for example in examples})
        vectors = np.array([encoder.embed_message(text) for text in texts])
        np.savez_compressed(
            options["to"],
            model=encoder.model,
            texts=np.array([fingerprint(text) for text in texts], dtype=np.uint64),
            vectors=np.clip(np.rint(vectors * SCALE), -127, 127).astype(np.int8),
        )
        self.stdout.write(f"{len(texts)} sentences are kept in {options['to']}.")


def _rows(path: Path | None) -> list[dict[str, str]]:
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
