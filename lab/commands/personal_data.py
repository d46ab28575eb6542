"""Measure the redaction of personal data on labelled messages, by language."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from chat.safety.phrases import defaults
from chat.safety.redaction import FILE, ROWS, Redactor, redactor_of
from lab.floors.hospitals import DEMONSTRATION, PACKS
from lab.paths import LAB
from taxonomy.language.tokens import normalise
from taxonomy.publishing.live import live_snapshot
from zol.commands import chosen_hospital
from zol.models import Hospital
from zol.tenancy import serving

SETS = LAB / "personal_data"
#: Counted by message: all of its personal data hidden, something else gone with it, and a message
#: without personal data that is changed.
HIDDEN, BEYOND, CHANGED = "hidden", "beyond", "changed"
Figures = Mapping[str, Counter[str]]


def read(path: Path) -> tuple[Mapping[str, Any], ...]:
    """Return the messages of a file, which may be compressed."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return tuple(map(json.loads, text.splitlines()))


def measure(redactor: Redactor, rows: Iterable[Mapping[str, Any]]) -> tuple[Figures, list[str]]:
    """Return the counts by language, and a line for each message that is not as it should be."""
    found, misses = defaultdict[str, Counter[str]](Counter), list[str]()
    for row in rows:
        text = normalise(row["text"])
        personal = set(chain.from_iterable(_places(text, each["text"]) for each in row["personal"]))
        cut = {at for each in redactor.cuts(text) for at in range(each.start, each.end)}
        left, more = (_letters(text, places) for places in (personal - cut, cut - personal))
        counts = found[row["language"]]
        counts["personal" if personal else "harmless"] += 1
        counts[HIDDEN] += bool(personal and not left)
        counts[BEYOND] += bool(personal and more)
        counts[CHANGED] += bool(cut and not personal)
        if left or more:
            seen = redactor.redact(text).text
            misses.append(
                f"{row['id']} {row['language']} left “{left}” more “{more}”: {text} → {seen}"
            )
    return found, misses


def _places(text: str, written: str) -> Iterator[int]:
    start = text.index(normalise(written))
    yield from range(start, start + len(normalise(written)))


def _letters(text: str, places: Iterable[int]) -> str:
    return "".join(text[at] for at in sorted(places) if text[at].isalnum())


def table(figures: Figures) -> Iterator[str]:
    """Yield the figures by language and in total as lines."""
    for language, counts in [*sorted(figures.items()), ("all", sum(figures.values(), Counter()))]:
        shares = (
            (HIDDEN, "personal"), (BEYOND, "personal"), (CHANGED, "harmless"),
        )  # fmt: skip
        yield f"{language:<5}" + "".join(
            f"{name:>9} {counts[name]:4} of {counts[of]:4} {counts[name] / max(1, counts[of]):6.1%}"
            for name, of in shares
        )


class Command(BaseCommand):
    help = (
        "Measure how much personal data is hidden, how often other words go with it, and how many "
        "harmless messages are changed. Loads the demonstration hospital into STATE_DIR."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", type=Path, help="default: all of lab/personal_data")
        parser.add_argument("--misses", action="store_true", help="print the messages at fault")

    def handle(self, *args: Any, **options: Any) -> None:
        if not Hospital.objects.filter(slug=DEMONSTRATION).exists():
            call_command("load_hospital", str(PACKS[DEMONSTRATION]), publish=True)
        files: Sequence[Path] = options["files"] or sorted(SETS.glob("*.jsonl*"))
        with serving(chosen_hospital(DEMONSTRATION)):
            snapshot = live_snapshot()
            # The default rows as they are here, not as they were when the hospital was loaded.
            rows = {**snapshot.rows, ROWS: defaults(FILE)}
            redactor = redactor_of(replace(snapshot, rows=rows))
            for file in files:
                figures, misses = measure(redactor, read(file))
                self.stdout.write(file.name)
                for line in chain(table(figures), misses if options["misses"] else ()):
                    self.stdout.write(line)
