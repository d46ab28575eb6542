"""Learn to tell machine-made suffixes from what people write."""

from __future__ import annotations

import csv
import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from chat.behaviours import Behaviour
from chat.models import FixedText, IntentExample
from chat.safety.attacks import WEIGHTS, SuffixDetector, weights
from lab.paths import SAFETY
from lab.suffixes.fitting import fit

#: Where the words of a line stand, whatever the file is made for.
COLUMNS = ("text", "question")
#: Questions that each suffix is asked behind.
BEHIND = 40


class Command(BaseCommand):
    help = (
        "Learn what tells a machine-made suffix from what people write: from the default rows and "
        "the laboratory's messages, and from invented attacks; no known attack is learned from. "
        "With --check nothing is learned. Measures files of known suffixes, each behind questions "
        "of the files of ordinary texts, and what is mistaken in those. Keeps the weights only "
        "with --write."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        doing = parser.add_mutually_exclusive_group()
        doing.add_argument("--check", action="store_true", help="only how the present weights do")
        doing.add_argument("--write", action="store_true", help=f"into {WEIGHTS.name}")
        parser.add_argument("--attacks", type=Path, nargs="*", default=[], metavar="WEIGHTS")
        parser.add_argument("--ordinary", type=Path, nargs="*", default=[], metavar="WEIGHTS")

    def handle(self, *args: Any, **options: Any) -> None:
        learned = weights() if options["check"] else fit([*_sentences()])
        detector = SuffixDetector(learned)
        ordinary = [text for file in options["ordinary"] for text in texts_of(file)]
        self._tell("mistaken", [text for text in ordinary if detector.check(text)], len(ordinary))
        behind = _some(ordinary) or [""]
        for file in options["attacks"]:
            asked = [f"{text} {attack}" for attack in texts_of(file) for text in behind]
            self._tell(
                f"missed in {file.name}", [t for t in asked if not detector.check(t)], len(asked)
            )
        if options["write"]:
            _write(learned)

    def _tell(self, what: str, texts: Sequence[str], whole: int) -> None:
        self.stdout.write(f"{what}: {len(texts)} of {whole}")
        for text in texts:
            self.stdout.write(f"  {text[-100:]}")


def _sentences() -> Iterator[str]:
    """Yield what people write, as far as we know, and what we say ourselves."""
    defaults = (IntentExample.defaults, FixedText.defaults)
    for file in (*filter(None, defaults), *sorted(SAFETY.glob("training-*.jsonl"))):
        yield from texts_of(file)


def _some(texts: Sequence[str]) -> list[str]:
    return Random(0).sample(texts, min(BEHIND, len(texts)))  # noqa: S311 (that can be had again)


def texts_of(file: Path) -> list[str]:
    """Return the texts of a file; attacks among golden questions left out."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        rows: Iterable[dict[str, Any]] = (
            csv.DictReader(lines)
            if file.suffix == ".csv"
            else (json.loads(line) for line in lines if line.strip())
        )
        return [
            said.translate({ord("{"): None, ord("}"): None}) if file.suffix == ".csv" else said
            for row in rows
            if (said := next((str(row[name]) for name in COLUMNS if row.get(name)), ""))
            and row.get("expect") != Behaviour.BLOCK_ATTACK
        ]
    except (OSError, ValueError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error


def _write(learned: dict[str, float]) -> None:
    traits = sorted(learned)
    rounded = [round(learned[trait], 2) for trait in traits]
    np.savez_compressed(WEIGHTS, traits=np.array(traits), weights=np.array(rounded))
