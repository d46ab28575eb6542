"""Sheets of a pack: files whose lines are rows of one model.

A record has the fields of the model as plain values, so that rows of files and of the database can
be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from taxonomy.facts.records import FactContext
from taxonomy.models import Entity
from taxonomy.models.relations import fact_context
from taxonomy.packs import registered
from taxonomy.packs.cells import PackRow, WrongCell, csv_text, read_table
from taxonomy.packs.findings import NOWHERE, CellPlace, Change, Changes, Findings, Mistake
from taxonomy.packs.spreadsheets import (
    Cells,
    Changed,
    Spreadsheet,
    differences,
    entity_of,
    row_cells,
)
from taxonomy.vocabulary import Kind, Predicate
from zol.models import Hospital
from zol.records.values import cell_of
from zol.tenancy import required_hospital_id

#: Maximum letters shown of a duplicate row.
LONGEST = 120
#: The kind and key of an entity; and a relation of two entities.
Ref = tuple[Kind, str]
Triple = tuple[Ref, Predicate, Ref]


class Reference(NamedTuple):
    """A reference to an entity, with its place."""

    ref: Ref
    place: CellPlace


@dataclass(frozen=True, slots=True)
class RowRecord:
    """The fields of a row of a pack, with its subject as a `Ref`."""

    fields: Mapping[str, Any]
    place: CellPlace = field(default=NOWHERE, compare=False)
    #: References to entities that the pack must contain.
    mentions: tuple[Reference, ...] = field(default=(), compare=False)
    #: Column numbers in the file by name.
    numbers: Mapping[str, int] = field(default_factory=dict, compare=False)

    def at(self, column: str) -> CellPlace:
        """Return the place of a cell of the row."""
        return self.place._replace(column=self.numbers.get(column, 1))


#: Records by their file.
Rows = Mapping[str, tuple[RowRecord, ...]]


class PackContext(NamedTuple):
    """All files of a pack, for checks across sheets."""

    sheets: tuple[Sheet, ...]
    rows: Rows
    entities: frozenset[Ref]
    context: FactContext


@dataclass(frozen=True)
class Sheet:
    """A file of a pack and the meaning of its rows.

    Rows without a position in the pack were made by staff and are left alone.
    """

    file: str
    noun: str
    model: type[Any]
    fields: tuple[str, ...]
    #: The fields that identify a row.
    identity: tuple[str, ...]
    columns: tuple[str, ...] = ()
    #: Columns that a CSV cannot leave out.
    needed: tuple[str, ...] = ()
    #: The column and the field that name a row in a message.
    label: tuple[str, str] = ("key", "key")
    #: The field that is set if a row came from a pack.
    mark: str = "position"
    is_optional: bool = True
    #: The kind of entities, for sheets of entities.
    kind: Kind | None = None

    def identity_of(self, values: Mapping[str, Any]) -> tuple[object, ...]:
        own = (values[name] for name in self.identity)
        return tuple(tuple(sorted(v.items())) if isinstance(v, dict) else v for v in own)

    def values_of(self, row: Any) -> dict[str, Any]:
        """Return the fields of a database row as in a record."""
        values = {name: getattr(row, name) for name in self.fields}
        if subject := values.get("subject"):
            values["subject"] = (subject.kind, subject.key)
        return values

    def rows(self, hospital: Hospital | int) -> list[Any]:
        linked = ["subject"] if "subject" in self.fields else []
        rows = self.model.objects.filter(hospital=hospital).select_related(*linked)
        return in_order(rows)

    def of(self, hospital: Hospital) -> tuple[RowRecord, ...]:
        """Return the records of a hospital, without those about a hidden subject."""
        shown = (
            row
            for row in self.rows(hospital)
            if not (subject := getattr(row, "subject", None))
            or subject.status == Entity.Status.ACTIVE
        )
        return tuple(RowRecord(self.values_of(row)) for row in shown)

    def write(
        self, hospital: Hospital, records: Iterable[RowRecord], changes: Changes,
        files: Mapping[str, bytes], *, dry_run: bool,
    ) -> None:  # fmt: skip
        """Replace the rows that came from a pack by its records."""
        existing = {self.identity_of(self.values_of(row)): row for row in self.rows(hospital)}
        rows = Entity.objects.filter(hospital=hospital)
        entities = {(row.kind, row.key): row for row in rows} if "subject" in self.fields else {}

        def values(fields: Mapping[str, Any]) -> dict[str, Any]:
            own = {"subject": entities.get(fields["subject"])} if "subject" in fields else {}
            return {**fields, **own}

        def make(**fields: Any) -> Any:
            return self.model(hospital=hospital, **fields)

        wanted = ((self.identity_of(each.fields), make, values(each.fields)) for each in records)
        replace_rows(self.noun, existing, wanted, changes, mark=self.mark)

    def row(self, row: PackRow, context: FactContext) -> RowRecord | None:
        """Parse a line of a table; note its mistakes."""
        raise NotImplementedError

    def cells(self, fields: Mapping[str, Any]) -> Sequence[str]:
        """Format the fields of a record as cells."""
        return [cell_of(fields[name]) for name in self.columns]

    def read(self, data: bytes, context: FactContext, findings: Findings) -> Iterator[RowRecord]:
        """Yield the rows of a file; note every mistake at its cell."""
        optional = tuple(name for name in self.columns if name not in self.needed)
        for line in read_table(data, self.file, self.needed, optional, findings):
            if record := self.row(line, context):
                yield record

    def text(self, records: Iterable[RowRecord], language: str = "nl") -> bytes:
        """Format records as a file; `language` is the hospital's."""
        return csv_text(self.columns, (self.cells(each.fields) for each in records))

    def entities(self, records: Iterable[RowRecord]) -> Iterator[Ref]:
        """Yield the entities that rows define; none by default."""
        yield from ()

    def stated(self, record: RowRecord) -> Iterator[tuple[Triple, str]]:
        """Yield the relations in columns of a row, with the column; none by default."""
        yield from ()

    def refused(self, hospital: Hospital, records: Iterable[RowRecord]) -> Iterator[Mistake]:
        """Yield conflicts with rows that staff made; none by default."""
        yield from ()

    def check(self, pack: PackContext, findings: Findings) -> None:
        """Note mistakes that depend on other files; none by default."""

    def check_duplicates(self, records: Iterable[RowRecord], findings: Findings) -> None:
        """Note duplicate records."""
        column, name = self.label
        first: dict[object, CellPlace] = {}
        for each in records:
            identity, text = self.identity_of(each.fields), each.fields[name][:LONGEST]
            if text and identity in first:
                sentence = f"{column}: “{text}” stands already at {first[identity]}."
                findings.wrong(each.place, sentence)
            first.setdefault(identity, each.place)

    def attached(
        self, folder: Path, records: tuple[RowRecord, ...], findings: Findings
    ) -> dict[str, bytes]:
        """Return the files listed in rows, by path in the folder; none by default."""
        return {}

    def copies(self, hospital: Hospital) -> Iterator[tuple[str, bytes]]:
        """Yield the files listed in rows, with their paths in the folder; none by default."""
        yield from ()

    def table(self, **traits: Any) -> Spreadsheet:
        """Return the sheet as a spreadsheet of the back office, with traits of `Spreadsheet`."""
        return SheetTable(self.model, self.columns, self.needed, sheet=self, **traits)


@dataclass(frozen=True)
class SheetTable(Spreadsheet):
    """The spreadsheet of a sheet."""

    sheet: Any = None

    @cached_property
    def context(self) -> FactContext:
        return fact_context(Hospital.objects.get(pk=required_hospital_id()))

    def values(self, cells: Cells) -> dict[str, Any]:
        findings = Findings()
        line = PackRow("", 0, dict.fromkeys(self.columns, "") | cells, {}, findings)
        record = self.sheet.row(line, self.context)
        for mistake in findings.mistakes:
            raise WrongCell(mistake.sentence, str(mistake.column))
        found = dict(record.fields) if record else {}
        if found.get("subject"):
            found["subject"] = entity_of(cells, "subject_kind", "subject")
        return found

    def find(self, cells: Cells) -> Any:
        found = self.values(cells)
        ends = {name: found[name] for name in self.sheet.identity}
        rows = self.model.objects.filter(**ends)
        return rows.first() or self.model(hospital_id=required_hospital_id(), **ends)

    def fill(self, row: Any, cells: Cells) -> Changed:
        found, sheet = self.values(cells), self.sheet
        names = [name for name in sheet.fields if name in cells and name not in sheet.identity]
        before = row_cells(row, names)
        for name in names:
            setattr(row, name, found[name])
        # Columns that only identify a row do not make a blank one filled.
        counted = [name for name in names if not (self.has_blanks and name in sheet.needed)]
        return differences(before, row_cells(row, counted))

    def write(self) -> Iterator[Sequence[str]]:
        for row in self.sheet.rows(required_hospital_id()):
            yield self.sheet.cells(self.sheet.values_of(row))


def pack_sheets() -> tuple[Sheet, ...]:
    """Return all registered sheets, in loading order."""
    return tuple(sheet for each in registered for sheet in each())


def in_order(rows: Iterable[Any]) -> list[Any]:
    """Sort rows by their position in the pack; rows made by staff come last."""
    return sorted(rows, key=lambda row: (row.position == 0, row.position, row.pk))


def update_row(row: Any, values: Mapping[str, Any]) -> Change:
    """Update a row, and return whether that changed it."""
    differing = [name for name, value in values.items() if getattr(row, name) != value]
    for name in differing:
        setattr(row, name, values[name])
    if differing:
        row.save(update_fields=differing)
    return Change.CHANGED if differing else Change.UNCHANGED


def replace_rows(
    subject: str,
    existing: dict[Any, Any],
    wanted: Iterable[tuple[Any, Callable[..., Any], Mapping[str, Any]]],
    changes: Changes,
    mark: str = "position",
) -> None:
    """Create, update and delete rows as in a pack, and count that.

    Each wanted row has an identity, a factory for a new row, and values. Rows that staff made stay.
    """
    new = []
    for position, (identity, make, values) in enumerate(wanted, start=1):
        fields, row = {"position": position, **values}, existing.pop(identity, None)
        if row is None:
            new.append(make(**fields))
        else:
            changes.count(subject, update_row(row, fields))
    if own := [row for row in existing.values() if getattr(row, mark)]:
        type(own[0]).objects.filter(pk__in=[row.pk for row in own]).delete()
    changes.count(subject, Change.GONE, len(own))
    if new:
        type(new[0]).objects.bulk_create(new, batch_size=1_000)
    changes.count(subject, Change.NEW, len(new))
