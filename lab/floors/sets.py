"""The labelled sets that floors are measured by, and progress while they are asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lab.paths import LAB, SAFETY
from zol.commands import ProgressBar

#: Sets that nothing learns from.
SAFETY_SETS = {
    "quiet": SAFETY / "spent-quiet-2026-11-28.jsonl",
    "words": SAFETY / "spent-words-2026-11-28.jsonl",
    "whom": SAFETY / "spent-whom-sealed-2026-11-28.jsonl",
}
WHOM_TO_SEE = SAFETY / "spent-whom-to-see-2026-11-28.jsonl"
INTENTS = LAB / "needs" / "spent-intents-2026-11-28.jsonl"
WORDINGS = LAB / "curated" / "wordings.jsonl"
CACHE_PAIRS = LAB / "data" / "cache_pairs.jsonl"
NEAR_PAIRS = LAB / "data" / "near_pairs.csv"
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class SafetyRow:
    """A message, and the danger that it tells of: none, emergency, crisis or poison."""

    set: str
    where: str
    language: str
    text: str
    expect: str


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def safety_rows() -> list[SafetyRow]:
    """Return all messages of the safety sets; a complaint without a label is no emergency."""
    return [
        SafetyRow(name, f"{name}:{at}", row["language"], row["text"], row.get("expect", "none"))
        for name, path in SAFETY_SETS.items()
        for at, row in enumerate(rows_of(path), start=1)
    ]


def progress(rows: Sequence[Row], name: str) -> Iterator[Row]:
    """Yield rows, and say on the error stream how many are done."""
    with ProgressBar(sys.stderr, len(rows), name=name, unit="row") as bar:
        for row in rows:
            yield row
            bar.advance()
