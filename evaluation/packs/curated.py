"""Curated answers of a pack: one JSON object on a line, read, laid over rows and written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chat.models import CuratedAnswer as Row
from chat.models.curated import KEPT
from chat.sources.records import CuratedAnswer, House, flaws
from evaluation.packs.changes import Change, Changes
from evaluation.packs.form import CURATED
from evaluation.packs.mistakes import Findings, Place
from evaluation.packs.tables import decode
from taxonomy.models import Entity
from zol.models import Hospital

#: Rows have no place in a file.
NOWHERE = Place("", 0, 0)
Checked = dict[str, str] | list[str]


@dataclass(frozen=True, slots=True)
class CuratedRecord:
    """A curated answer, and what is kept beside it."""

    answer: CuratedAnswer
    review_by: date | None = None
    #: Who read it, by language.
    checked_in: Mapping[str, str] = field(default_factory=dict)
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as it is written."""

    key: str
    need: str
    answer: dict[str, str]
    examples: dict[str, tuple[str, ...]]
    sources: tuple[str, ...]
    subject: str = ""
    conditions: dict[str, str] = field(default_factory=dict)
    next_step: str = ""
    #: Languages, or languages with who read it.
    checked_in: Checked = field(default_factory=dict)
    review_by: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None


_LINE = TypeAdapter(_Line)


def read_curated(data: bytes, findings: Findings) -> Iterator[CuratedRecord]:
    """Give the curated answers of a file."""
    for number, line in enumerate((decode(data, CURATED, findings) or "").split("\n"), start=1):
        if not line.strip():
            continue
        place = Place(CURATED, number, 1)
        try:
            yield _record(_LINE.validate_json(line), place)
        except ValidationError as error:
            for wrong in error.errors():
                where = ".".join(map(str, wrong["loc"])) or "JSON"
                findings.wrong(place, f"{where}: {wrong['msg']}.")


def _record(said: _Line, place: Place) -> CuratedRecord:
    kind, _colon, key = said.subject.partition(":")
    checked = said.checked_in
    return CuratedRecord(
        CuratedAnswer(
            said.key, said.need, (kind, key), said.conditions,
            {code: tuple(dict.fromkeys(asked)) for code, asked in said.examples.items() if asked},
            {code: text for code, text in said.answer.items() if text},
            said.sources, said.next_step, said.valid_from, said.valid_to,
        ),
        said.review_by,
        dict.fromkeys(checked, "") if isinstance(checked, list) else checked,
        place,
    )  # fmt: skip


def check_curated(records: Iterable[CuratedRecord], house: House, findings: Findings) -> None:
    """Note every key that was given before, and what no hospital may say."""
    first: dict[str, Place] = {}
    for record in records:
        key = record.answer.key
        if key in first:
            findings.wrong(record.place, f"key: “{key}” stands already at {first[key]}.")
        first.setdefault(key, record.place)
        for name, error in flaws(record.answer, house):
            findings.wrong(record.place, f"{name}: {error}")


def write_curated(hospital: Hospital, records: Iterable[CuratedRecord], changes: Changes) -> None:
    """Make the curated answers what a pack says; those that staff wrote have no place in it."""
    entities = Entity.objects.filter(hospital=hospital)
    things = {(row.kind, row.key): row for row in entities}
    rows = {row.key: row for row in Row.objects.select_related("subject")}
    for position, record in enumerate(records, start=1):
        said, row = record.answer, rows.pop(record.answer.key, None)
        if row and record == _of(row) and row.position == position:
            changes.count("curated answer", Change.UNCHANGED)
            continue
        values = {
            "need": said.need, "subject": things.get(said.subject), "position": position,
            "conditions": dict(said.conditions), "answer": dict(said.answer),
            "examples": {code: list(asked) for code, asked in said.examples.items()},
            "sources": list(said.sources), "next_step": said.next_step,
            "valid_from": said.valid_from, "valid_to": said.valid_to,
            "review_by": record.review_by, "checked_in": dict(record.checked_in),
        }  # fmt: skip
        Row.objects.update_or_create(hospital=hospital, key=said.key, defaults=values)
        changes.count("curated answer", Change.CHANGED if row else Change.ADDED)
    for row in rows.values():
        if row.position:
            row.delete()
            changes.count("curated answer", Change.GONE)


def curated_of(hospital: Hospital) -> Iterator[CuratedRecord]:
    """Give the curated answers of a hospital, as the pack had them; those of staff come last."""
    rows = Row.objects.filter(hospital=hospital).select_related("subject")
    for row in sorted(rows, key=lambda row: (row.position == 0, row.position, row.pk)):
        yield _of(row)


def _of(row: Row) -> CuratedRecord:
    return CuratedRecord(row.record, *(getattr(row, name) for name in KEPT))


def curated_text(records: Iterable[CuratedRecord]) -> bytes:
    """Return a file; what is empty and need not be said is left out."""
    return "".join(
        f"{json.dumps(_told(each), ensure_ascii=False, default=str)}\n" for each in records
    ).encode()


def _told(record: CuratedRecord) -> dict[str, Any]:
    said, checked = record.answer, record.checked_in
    told = {
        "key": said.key, "need": said.need,
        "subject": ":".join(filter(None, said.subject)), "conditions": said.conditions,
        "examples": said.examples, "answer": said.answer, "sources": said.sources,
        "next_step": said.next_step,
        "checked_in": checked if any(checked.values()) else list(checked),
    }  # fmt: skip
    days = {
        "review_by": record.review_by, "valid_from": said.valid_from, "valid_to": said.valid_to,
    }  # fmt: skip
    return told | {name: day for name, day in days.items() if day}
