"""Sheets in JSON Lines files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any, ClassVar, NamedTuple

from pydantic import TypeAdapter, ValidationError

from taxonomy.facts.records import FactContext
from taxonomy.packs.cells import numbered
from taxonomy.packs.findings import CellPlace, Findings
from taxonomy.packs.sheets import RowRecord, Sheet

MISSING = "the field is missing"


class JsonLine(NamedTuple):
    """A line with a JSON object, which notes mistakes at the name of a field."""

    text: str
    place: CellPlace
    findings: Findings

    def at(self, name: str) -> CellPlace:
        return self.place._replace(column=self.text.find(f'"{name}"') + 1 or 1)

    def wrong(self, name: str, sentence: str) -> None:
        self.findings.wrong(self.at(name), f"{name}: {sentence.rstrip('.')}.")


class JsonSheet(Sheet):
    """A sheet whose file has one JSON object per line."""

    #: A dataclass with the fields of an object.
    form: ClassVar[type[Any]]

    def record(self, values: dict[str, Any], line: JsonLine) -> dict[str, Any]:
        """Return the fields of a row from an object; subclasses may change and check them."""
        return values

    def line(self, values: Mapping[str, Any]) -> str:
        """Format a row as a line."""
        raise NotImplementedError

    def read(self, data: bytes, context: FactContext, findings: Findings) -> Iterator[RowRecord]:
        return self.lines(data, findings)

    def lines(self, data: bytes, findings: Findings) -> Iterator[RowRecord]:
        """Yield the rows of a file; note every mistake at its field."""
        form, known = TypeAdapter(self.form), {each.name for each in fields(self.form)}
        for place, written in numbered(data, self.file, findings):
            line = JsonLine(written, place, findings)
            try:
                values = json.loads(written)
                if isinstance(values, dict):
                    values = {name: value for name, value in values.items() if value is not None}
                found = asdict(form.validate_python(values))
            except json.JSONDecodeError as error:
                at = place._replace(column=error.colno)
                findings.wrong(at, f"This is not JSON: {error.msg}.")
            except ValidationError as error:
                for each in error.errors():
                    name, *more = map(str, each["loc"] or ("object",))
                    text = MISSING if each["type"] == "missing" else each["msg"]
                    findings.wrong(line.at(name), f"{'.'.join((name, *more))}: {text}.")
            else:
                for name in values.keys() - known:
                    findings.warn(line.at(name), f"The field {name} is unknown and not read.")
                yield RowRecord(self.record(found, line), place)

    def text(self, records: Iterable[RowRecord], language: str = "nl") -> bytes:
        return "".join(f"{self.line(each.fields)}\n" for each in records).encode()


def json_line(values: Mapping[str, Any]) -> str:
    """Format an object as a line of JSON."""
    return json.dumps(values, ensure_ascii=False, default=str)
