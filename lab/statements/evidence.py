"""The evidence of a written statement: the lines of its page and of others, as a model reads them.

A statement names its lines by words of theirs, so that it survives other numbers.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path

import yaml

from chat.checking.base import (
    CheckedQuestion,
    Citation,
    Claim,
    Form,
    Line,
    LineKind,
    NumberedEvidence,
    Source,
)
from chat.checking.knowledge import CUES, Knowledge, knowledge_of
from chat.safety.phrases import defaults
from lab.paths import ROOT
from retrieval.reading.blocks import Block, Sort
from retrieval.reading.html import read_html
from taxonomy.language.lexicon import ROWS as LEXICON
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import AliasKind, Kind, Spelling, Thing, Vocabulary
from zol.text import sentences

PACKS = {
    "zol-demo": ROOT / "zol" / "demo" / "pack",
    "wijdewater": ROOT / "tests" / "elsewhere" / "pack",
}
STATEMENTS = ROOT / "lab" / "recorded" / "statements.jsonl"
TODAY = date(2026, 11, 29)
#: Beside the page of a statement, as a search finds them.
OTHERS = 3
_BARS = re.compile(r"\s*\|\s*")


@dataclass(frozen=True)
class Written:
    """A statement as it was written, with others that say something wrong."""

    id: str
    hospital: str
    page: str
    language: str
    question: str
    quotes: tuple[str, ...]
    text: str
    form: str = "sentence"
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def evidence(self) -> NumberedEvidence:
        return evidence(self.hospital, self.page)

    @property
    def asked(self) -> CheckedQuestion:
        return CheckedQuestion(self.question, (self.question,), self.language, today=TODAY)

    @property
    def claim(self) -> Claim:
        return Claim(self.text, tuple(self.ids), Form(self.form))

    @property
    def ids(self) -> Iterator[str]:
        for quote in self.quotes:
            found = [line for source in self.evidence.sources for line in source.lines
                     if quote in line.text or quote in f"{line.above} {line.text}"]  # fmt: skip
            if not found:
                raise LookupError(f"{self.id}: {self.page} has no line “{quote}”")
            yield next((each for each in found if quote in each.text), found[0]).id


def statements() -> tuple[Written, ...]:
    rows = map(json.loads, STATEMENTS.read_text(encoding="utf-8").splitlines())
    return tuple(Written(**{**row, "quotes": tuple(row["quotes"])}) for row in rows)


@cache
def evidence(hospital: str, page: str) -> NumberedEvidence:
    """Return the lines of a page, after those of three others of its folder."""
    folder = PACKS[hospital] / "pages"
    beside = sorted(
        each.relative_to(folder).as_posix() for each in (folder / page).parent.glob("*.html")
    )
    at = beside.index(page)
    around = [beside[(at + step) % len(beside)] for step in range(1, OTHERS + 1)]
    pages = [page, *(each for each in dict.fromkeys(around) if each != page)]
    return NumberedEvidence(tuple(_source(hospital, each, n) for n, each in enumerate(pages, 2)))


def _source(hospital: str, page: str, n: int) -> Source:
    language = page[:2] if page[2:3] == "/" and page[:2] in {"fr", "en", "de"} else "nl"
    blocks = read_html((PACKS[hospital] / "pages" / page).read_bytes())
    title = next((each.text for each in blocks if each.sort is Sort.HEADING), page)
    cut = list(_cut(blocks))
    lines = tuple(
        Line(f"{n}.{at}", text, above, language, kind)
        for at, (text, above, kind) in enumerate(cut, 1)
    )
    return Source(Citation(n, title, page, language=language), lines)


def _cut(blocks: tuple[Block, ...]) -> Iterator[tuple[str, str, LineKind]]:
    heading = ""
    for block in blocks:
        above = " › ".join(filter(None, (heading, block.caption, block.lead)))
        if block.sort is Sort.HEADING:
            heading = block.text
        elif block.sort is Sort.ROW:
            heads = _BARS.split((block.header or block.heads).strip("| "))
            cells = _BARS.split(block.text)
            named = (
                f"{head}: {cell}" if head else cell
                for head, cell in zip([*heads, *[""] * len(cells)], cells, strict=False)
                if cell
            )
            yield "; ".join(named), above, LineKind.ROW
        elif block.sort is Sort.ITEM:
            yield block.text, above, LineKind.ITEM
        else:
            for each in sentences(block.text):
                yield each, above, LineKind.SENTENCE


@cache
def known(hospital: str) -> Knowledge:
    """Return what the checks know of a hospital, read from its pack."""
    pack = PACKS[hospital]
    profile = yaml.safe_load((pack / "hospital.yaml").read_text(encoding="utf-8"))
    kept = {name: profile[name] for name in Profile.__dataclass_fields__ if name in profile}
    things = [
        _thing(kind, row)
        for kind, name in (
            (Kind.DEPARTMENT, "departments"),
            (Kind.DOCTOR, "doctors"),
            (Kind.CAMPUS, "campuses"),
        )
        for row in _rows(pack / "taxonomy" / f"{name}.csv")
    ]
    lexicon = _rows(ROOT / "taxonomy" / "defaults" / "lexicon.csv")
    cues = tuple({**row, "weight": float(row["weight"])} for row in defaults("cues"))
    rows = {CUES: cues, LEXICON: tuple(lexicon)}
    return knowledge_of(Snapshot(1, 1, Profile(**kept), Vocabulary(things), rows))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _thing(kind: Kind, row: dict[str, str]) -> Thing:
    spellings = []
    for alias in filter(None, row.get("aliases", "").split("|")):
        language, _, text = alias.rpartition(":")
        spellings.append(Spelling(text, language or "nl", AliasKind.SYNONYM))
    name = row.get("name") or f"{row['first_name']} {row['last_name']}"
    return Thing(kind, row["key"], name, row.get("url", ""), tuple(spellings), dict(row))
