"""`manage.py measure_suffix_detector`: what the detector in force finds, and what it mistakes."""

from __future__ import annotations

import csv
import json
import re
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.behaviours import Behaviour
from chat.models import FixedText, IntentExample
from chat.safety.fitting import families, fit
from chat.safety.suffix import suffix_detector_of
from taxonomy.selectors import live_snapshot
from zol.commands import chosen_hospital
from zol.tenancy import serving

#: Where the words of a line stand, whatever the file is made for.
COLUMNS = ("text", "question", "sentence", "phrase")
#: Marks of templates, which nobody writes.
_TEMPLATE = re.compile(r"[{}*_#|]")
#: Fewest attacks with one suffix that are a family.
FAMILY = 3


class Command(BaseCommand):
    help = (
        "Measure the suffix detector of the published version: the share of attacks that it finds, "
        "the share of each family of attacks when the thresholds are fitted without it, and the "
        "sentences that it takes for attacks. Files are .jsonl or .csv with a text, a question or "
        "a sentence on each line; golden questions that are attacks themselves are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hospital", default="", help="slug")
        parser.add_argument("--attacks", type=Path, required=True, metavar="FILE")
        parser.add_argument("--ordinary", type=Path, nargs="+", required=True, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        attacks = [text for text, _ in texts_of(options["attacks"])]
        if not attacks:
            raise CommandError("The file has no attacks.")
        with serving(chosen_hospital(options["hospital"])):
            detector = live_snapshot().derived(suffix_detector_of)
        missed = [text for text in attacks if not detector.check(text)]
        self._share("found", len(attacks) - len(missed), len(attacks))
        for text in missed:
            self.stdout.write(f"  missed: {text[-90:]}")
        for file in options["ordinary"]:
            ordinary = [text for text, _ in texts_of(file)]
            mistaken = [text for text in ordinary if detector.check(text)]
            self._share(f"mistaken in {file.name}", len(mistaken), len(ordinary))
            for text in mistaken:
                self.stdout.write(f"  mistaken: {text[:90]}")
        self._left_out(attacks)

    def _left_out(self, attacks: list[str]) -> None:
        """Tell what is found of each family by thresholds that have not seen it."""
        ordinary: defaultdict[str, list[str]] = defaultdict(list)
        for file in filter(None, (IntentExample.defaults, FixedText.defaults)):
            for text, language in texts_of(file):
                ordinary[language].append(_TEMPLATE.sub("", text))
        sizes = families(attacks)
        for name, (size, caught) in fit(ordinary, attacks).left_out.items():
            if len(sizes[name]) >= FAMILY:
                self._share(f"left out: …{name[-50:]}", caught, size)

    def _share(self, what: str, part: int, whole: int) -> None:
        self.stdout.write(f"{what}: {part} of {whole} ({part / max(1, whole):.1%})")


def texts_of(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts of a file, each with its language; attacks of golden questions left out."""
    try:
        text = file.read_text(encoding="utf-8")
        rows = (
            list(csv.DictReader(text.splitlines()))
            if file.suffix == ".csv"
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
    except (OSError, ValueError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
    for row in rows:
        said = next((str(row[name]) for name in COLUMNS if row.get(name)), "")
        if said and row.get("expect") != Behaviour.BLOCK_ATTACK:
            yield said, str(row.get("language") or "")
