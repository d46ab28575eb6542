"""Curated answers of a pack: one JSON object on a line, read, laid over rows and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chat.models import CuratedAnswer as Row
from chat.models.curated import KEPT
from chat.sources.records import CuratedAnswer, House, flaws
from evaluation.packs.findings import NOWHERE, Changes, Findings, Place, lay_rows
from evaluation.packs.form import CURATED
from evaluation.packs.tables import json_lines, numbered
from taxonomy.models import Entity
from zol.models import Hospital

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
    for place, line in numbered(data, CURATED, findings):
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
    listed = list(records)
    keys = ((each.answer.key, each.answer.key, "key", each.place) for each in listed)
    findings.check_once(keys)
    for record in listed:
        for name, error in flaws(record.answer, house):
            findings.wrong(record.place, f"{name}: {error}")


def write_curated(hospital: Hospital, records: Iterable[CuratedRecord], changes: Changes) -> None:
    """Make the curated answers what a pack says; those that staff wrote have no place in it."""
    entities = Entity.objects.filter(hospital=hospital)
    things = {(row.kind, row.key): row for row in entities}
    rows = {row.key: row for row in Row.objects.select_related("subject")}

    def values(record: CuratedRecord) -> dict[str, Any]:
        said = record.answer
        return {
            "need": said.need, "subject": things.get(said.subject),
            "conditions": dict(said.conditions), "answer": dict(said.answer),
            "examples": {code: list(asked) for code, asked in said.examples.items()},
            "sources": list(said.sources), "next_step": said.next_step,
            "valid_from": said.valid_from, "valid_to": said.valid_to,
            "review_by": record.review_by, "checked_in": dict(record.checked_in),
        }  # fmt: skip

    wanted = (
        (key, partial(Row, hospital=hospital, key=key), values(each))
        for each in records
        for key in (each.answer.key,)
    )
    lay_rows("curated answer", rows, wanted, changes)


def curated_of(hospital: Hospital) -> Iterator[CuratedRecord]:
    """Give the curated answers of a hospital, as the pack had them; those of staff come last."""
    rows = Row.objects.filter(hospital=hospital).select_related("subject")
    for row in sorted(rows, key=lambda row: (row.position == 0, row.position, row.pk)):
        yield _of(row)


def _of(row: Row) -> CuratedRecord:
    return CuratedRecord(row.record, *(getattr(row, name) for name in KEPT))


def curated_text(records: Iterable[CuratedRecord]) -> bytes:
    """Return a file; what is empty and need not be said is left out."""
    return json_lines(map(_told, records))


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
