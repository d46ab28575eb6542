"""Reading test collections in BEIR's format, and saying how they ended."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lingua import Language as Lingua
from lingua import LanguageDetectorBuilder

from zol.errors import BadInput
from zol.languages import LANGUAGES

#: Texts that are read to learn a collection's language.
SAMPLE = 200


@dataclass(frozen=True, slots=True)
class Item:
    """A document or a question."""

    key: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, the questions that have judgements, and the judgements."""

    name: str
    documents: tuple[Item, ...]
    questions: tuple[Item, ...]
    #: By question, then by document: how relevant, 0 and up.
    judgements: Mapping[str, Mapping[str, int]]


def read(folder: Path) -> Collection:
    """Return the collection of a folder; say in a sentence what it lacks."""
    judgements = _judgements(folder / "qrels" / "test.tsv")
    return Collection(
        name=folder.resolve().name,
        documents=tuple(_items(folder / "corpus.jsonl")),
        questions=tuple(q for q in _items(folder / "queries.jsonl") if q.key in judgements),
        judgements=judgements,
    )


def language_of(items: tuple[Item, ...]) -> str:
    """Return the language that most of the items are written in."""
    known = [Lingua.from_iso_code_639_1(_iso(code)) for code in LANGUAGES]
    detector = LanguageDetectorBuilder.from_languages(*known).build()
    texts = [item.text[:400] for item in items[:: max(1, len(items) // SAMPLE)]]
    votes: dict[str, int] = {}
    for found in detector.detect_languages_in_parallel_of(texts):
        if found is not None:
            code = found.iso_code_639_1.name.lower()
            votes[code] = votes.get(code, 0) + 1
    if not votes:
        raise BadInput("The language of these texts cannot be told; say it with --language")
    return max(sorted(votes), key=lambda code: votes[code])


def _iso(code: str) -> Any:
    from lingua import IsoCode639_1  # noqa: PLC0415

    return getattr(IsoCode639_1, code.upper())


def _items(path: Path) -> Iterator[Item]:
    for number, line in enumerate(_lines(path), start=1):
        try:
            row = json.loads(line)
            yield Item(str(row["_id"]), row["text"], row.get("title") or "")
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(f"{path}:{number}: not a row with _id and text ({error!r})") from error


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    rows = csv.reader(_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, row in enumerate(rows, start=1):
        if number == 1 and row and not row[-1].strip().lstrip("-").isdigit():
            continue
        try:
            question, document, relevance = row
            found.setdefault(question, {})[document] = int(relevance)
        except ValueError as error:
            raise BadInput(f"{path}:{number}: not question, document, relevance") from error
    return found


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadInput(f"{path} is missing") from error
    return [line for line in text.split("\n") if line.strip()]
