"""Measure the scope of sections against labels: `python -m lab scope`."""

from __future__ import annotations

import csv
import json
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand

from lab.paths import LAB, ROOT
from retrieval.ingestion.split import split
from retrieval.reading import read
from retrieval.scope import ScopeReader, is_sure
from taxonomy.language.lexicon import Lexicon
from taxonomy.packs.cells import read_alias
from taxonomy.vocabulary import AliasKind, Kind

LABELS = LAB / "scope" / "sections-2026-11-29.jsonl"
TABLES = {Kind.CAMPUS: "campuses.csv", Kind.DEPARTMENT: "departments.csv"}
#: Letters of an alias in capitals that is an abbreviation.
LONGEST_ABBREVIATION = 5
LANGUAGE = re.compile(rb"<html[^>]*\blang=\W?([a-z]{2})")


class Command(BaseCommand):
    help = "Measure the scope of sections on a file of {page, heading, scope}."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, default=LABELS)

    def handle(self, *args: Any, **options: Any) -> None:
        right = needless = missed = 0
        for line in options["file"].read_text().splitlines():
            labelled = json.loads(line)
            found = _sections(labelled["page"]).get(labelled["heading"])
            if found is None:
                self.stdout.write(f"{labelled['page']} has no text under {labelled['heading']}")
                continue
            wanted = set(labelled["scope"])
            right += len(found & wanted)
            needless += len(found - wanted)
            missed += len(wanted - found)
            if found != wanted:
                sides = f"needless {sorted(found - wanted)}, missed {sorted(wanted - found)}"
                self.stdout.write(f"{labelled['page']} \u203a {labelled['heading']}: {sides}")
        precision, recall = right / (right + needless), right / (right + missed)
        self.stdout.write(f"precision {precision:.1%}, recall {recall:.1%} of {right + missed}")


@cache
def _sections(page: str) -> dict[str, set[str]]:
    """Return the scope of each section of a page by its heading, cells of its tables included."""
    data = (ROOT / page).read_bytes()
    blocks = read(data, "text/html")
    told = LANGUAGE.search(data)
    title = next((block.text for block in blocks if block.sort == "heading"), "")
    scope_of = _reader(page.partition("/pages/")[0]).of(title, told[1].decode() if told else "nl")
    found: dict[str, set[str]] = {}
    for piece in split(blocks, title=title):
        for line, place in zip(piece.content.splitlines(), piece.places, strict=True):
            if place.path:
                said = {f"{kind}:{name}" for kind, name in scope_of(place, line)}
                found.setdefault(place.path[-1], set()).update(said)
    return found


@cache
def _reader(pack: str) -> ScopeReader:
    phrases = _rows("chat/defaults/advice.csv")
    medicines = ((row["language"], row["text"]) for row in phrases if row["kind"] == "med")
    return ScopeReader(_names(pack), medicines, Lexicon(_rows("taxonomy/defaults/lexicon.csv")))


def _names(pack: str) -> Iterator[tuple[str, str, str, str, str]]:
    own = yaml.safe_load((ROOT / pack / "hospital.yaml").read_text()).get("default_language", "nl")
    for kind, table in TABLES.items():
        for row in _rows(f"{pack}/taxonomy/{table}"):
            yield kind, row["key"], row["name"], "", own
            for part in filter(None, row["aliases"].split("|")):
                language, text = read_alias(part, own)
                is_short = len(text) <= LONGEST_ABBREVIATION and text.isupper()
                alias = AliasKind.ABBREVIATION if is_short else AliasKind.SYNONYM
                sure = is_sure(row.get("kind", ""), alias)
                yield kind, row["key"], text, "" if sure else alias, language


def _rows(path: str) -> list[dict[str, str]]:
    with (ROOT / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
