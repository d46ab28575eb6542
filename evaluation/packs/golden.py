"""Golden questions of a pack, one JSON object on a line: read and written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import JSONField

from chat.behaviours import Behaviour
from evaluation.models import GoldenQuestion
from evaluation.packs.findings import Findings, Place
from evaluation.packs.form import GOLDEN
from evaluation.packs.rows import RowFile, RowRecord
from evaluation.packs.tables import numbered
from zol.clock import moment_of
from zol.errors import BadInput

_OWN = ("id", "hospital", "position")
_FIELDS = {f.name: f for f in GoldenQuestion._meta.concrete_fields if f.name not in _OWN}
#: The texts and how long they may be, by what a line calls them; and which it must have.
TEXTS = {name: f.max_length or 0 for name, f in _FIELDS.items() if f.max_length and name != "key"}
NEEDED = ("id", *(name for name in TEXTS if not _FIELDS[name].blank))
LISTS = tuple(name for name, f in _FIELDS.items() if isinstance(f, JSONField) and f.blank)
KNOWN = {"id", "question", "turns", *TEXTS, *LISTS}


def read_golden(data: bytes, findings: Findings) -> Iterator[RowRecord]:
    """Give the golden questions of a file."""
    for place, line in numbered(data, GOLDEN, findings):
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            findings.wrong(place._replace(column=error.colno), f"This is not JSON: {error.msg}.")
            continue
        if not isinstance(row, dict):
            findings.wrong(place, "A golden question is an object: {…}.")
            continue
        yield _record(row, line, _Fields(row, line, place, findings))


class _Fields:
    """The fields of one golden question; what is wrong is noted where its name stands."""

    def __init__(self, row: Mapping[str, Any], line: str, place: Place, findings: Findings) -> None:
        self.row, self.line, self.at, self.findings = row, line, place, findings

    def place(self, name: str) -> Place:
        return self.at._replace(column=self.line.find(f'"{name}"') + 1 or 1)

    def wrong(self, name: str, sentence: str) -> None:
        self.findings.wrong(self.place(name), f"{name}: {sentence}.")

    def text(self, name: str, limit: int) -> str:
        value = self.row.get(name)
        if value is None or value == "":
            if name in NEEDED:
                self.wrong(name, "the field is missing")
            return ""
        if not isinstance(value, str) or len(value) > limit:
            self.wrong(name, f"a text of at most {limit} characters belongs here")
            return ""
        return value

    def many(self, name: str) -> list[Any]:
        value = self.row.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.wrong(name, "a list belongs here")
            return []
        return value

    def turns(self) -> list[Any]:
        question = self.row.get("question")
        turns = [question] if question is not None else self.row.get("turns")
        is_said = isinstance(turns, list) and all(isinstance(t, str | dict) and t for t in turns)
        if not isinstance(turns, list) or not turns or not is_said:
            self.wrong("turns" if "turns" in self.row else "question", "a question is missing")
            return []
        return turns


def _record(row: Mapping[str, Any], line: str, fields: _Fields) -> RowRecord:
    texts = {name: fields.text(name, limit) for name, limit in TEXTS.items()}
    if texts["expect"] and texts["expect"] not in set(map(str, Behaviour)):
        fields.wrong("expect", f"“{texts['expect']}” is none of {', '.join(map(str, Behaviour))}")
    if texts["at"]:
        try:
            moment_of(texts["at"])
        except BadInput as error:
            fields.wrong("at", str(error).rstrip("."))
    for name in row.keys() - KNOWN:
        fields.findings.warn(fields.place(name), f"The field {name} is unknown and not read.")
    values = texts | {name: fields.many(name) for name in LISTS} | {"turns": fields.turns()}
    return RowRecord(values | {"key": fields.text("id", 80), "line": line}, fields.at)


def golden_text(records: Iterable[RowRecord]) -> bytes:
    """Return a file: lines as they came, and of questions that staff made what is not empty."""
    return "".join(f"{_line(each.fields)}\n" for each in records).encode()


def _line(said: Mapping[str, Any]) -> str:
    own = {n: said[n] for n in _FIELDS if n not in ("key", "line") and said[n] not in ("", [])}
    return str(said["line"]) or json.dumps({"id": said["key"], **own}, ensure_ascii=False)


GOLDEN_ROWS = RowFile(
    GOLDEN, "golden question", GoldenQuestion, tuple(_FIELDS), ("key",), read_golden, golden_text,
    ("id", "key"), "line",
)  # fmt: skip
