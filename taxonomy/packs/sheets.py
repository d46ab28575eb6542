"""Sheets of a pack: files of which each line is a row of one model, and who registers them.

A record holds the fields of the model as plain values, so that read, stored and written rows are
compared, laid over one another and printed in one way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from django.db.models import DateField

from taxonomy.facts.records import FactContext
from taxonomy.models import Entity
from taxonomy.models.relations import house_of
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

#: Letters of what is shown of a row that is given twice.
LONGEST = 120
#: An entity, by its kind and key; and two of them, with what joins them.
Ref = tuple[Kind, str]
Triple = tuple[Ref, Predicate, Ref]


class Reference(NamedTuple):
    """A reference, and where it stands."""

    ref: Ref
    place: CellPlace


@dataclass(frozen=True, slots=True)
class RowRecord:
    """A row as a pack says it: the fields of its model, with its subject by kind and key."""

    fields: Mapping[str, Any]
    place: CellPlace = field(default=NOWHERE, compare=False)
    #: Entities that must be in the pack for it.
    mentions: tuple[Reference, ...] = field(default=(), compare=False)
    #: The columns of the file by their names.
    numbers: Mapping[str, int] = field(default_factory=dict, compare=False)

    def at(self, column: str) -> CellPlace:
        """Return where a cell of the row stands."""
        return self.place._replace(column=self.numbers.get(column, 1))


#: Records by the file that says them.
Rows = Mapping[str, tuple[RowRecord, ...]]


class PackContext(NamedTuple):
    """Context in which a sheet is validated: all files of the pack."""

    sheets: tuple[Sheet, ...]
    rows: Rows
    things: frozenset[Ref]
    house: FactContext


@dataclass(frozen=True)
class Sheet:
    """A file of a pack, and what its rows mean.

    Rows of its model are found again by some fields; those of staff have no place in a pack.
    """

    file: str
    noun: str
    model: type[Any]
    fields: tuple[str, ...]
    #: The fields by which a row is found again.
    identity: tuple[str, ...]
    columns: tuple[str, ...] = ()
    #: Columns that a CSV cannot leave out.
    needed: tuple[str, ...] = ()
    #: What tells somebody which row it is: as the file calls it, and the field.
    called: tuple[str, str] = ("key", "key")
    #: Filled in where a row came from a pack.
    mark: str = "position"
    is_optional: bool = True
    #: Of a sheet of entities.
    kind: Kind | None = None
    #: Of a spreadsheet: see `Spreadsheet`.
    apart: tuple[str, ...] = ("language",)
    long: frozenset[str] = frozenset()
    has_blanks: bool = False

    def named(self, said: Mapping[str, Any]) -> tuple[object, ...]:
        values = (said[name] for name in self.identity)
        return tuple(tuple(sorted(v.items())) if isinstance(v, dict) else v for v in values)

    def said(self, row: Any) -> dict[str, Any]:
        """Return the fields of a row as a record has them."""
        values = {name: getattr(row, name) for name in self.fields}
        if subject := values.get("subject"):
            values["subject"] = (subject.kind, subject.key)
        return values

    def rows(self, hospital: Hospital | int) -> list[Any]:
        linked = ["subject"] if "subject" in self.fields else []
        rows = self.model.objects.filter(hospital=hospital).select_related(*linked)
        return in_order(rows)

    def of(self, hospital: Hospital) -> tuple[RowRecord, ...]:
        """Return the rows of a hospital, but for those about what is hidden."""
        shown = (
            row
            for row in self.rows(hospital)
            if not (subject := getattr(row, "subject", None))
            or subject.status == Entity.Status.ACTIVE
        )
        return tuple(RowRecord(self.said(row)) for row in shown)

    def write(
        self, hospital: Hospital, records: Iterable[RowRecord], changes: Changes,
        files: Mapping[str, bytes], *, dry_run: bool,
    ) -> None:  # fmt: skip
        """Make the rows that came from a pack what it says."""
        existing = {self.named(self.said(row)): row for row in self.rows(hospital)}
        entities = Entity.objects.filter(hospital=hospital)
        things = {(row.kind, row.key): row for row in entities} if "subject" in self.fields else {}

        def values(said: Mapping[str, Any]) -> dict[str, Any]:
            own = {"subject": things.get(said["subject"])} if "subject" in said else {}
            return {**said, **own}

        def made(**said: Any) -> Any:
            return self.model(hospital=hospital, **said)

        wanted = ((self.named(each.fields), made, values(each.fields)) for each in records)
        lay_rows(self.noun, existing, wanted, changes, mark=self.mark)

    def row(self, row: PackRow, house: FactContext) -> RowRecord | None:
        """Return what a line of a table says; note what is wrong with it."""
        raise NotImplementedError

    def cells(self, said: Mapping[str, Any]) -> Sequence[str]:
        """Return a record as the cells of its columns."""
        return [cell_of(said[name]) for name in self.columns]

    def read(self, data: bytes, house: FactContext, findings: Findings) -> Iterator[RowRecord]:
        """Yield the rows of a file; note every mistake at its cell."""
        optional = tuple(name for name in self.columns if name not in self.needed)
        for line in read_table(data, self.file, self.needed, optional, findings):
            if record := self.row(line, house):
                yield record

    def text(self, records: Iterable[RowRecord], language: str = "nl") -> bytes:
        """Return the file that says these records of a hospital of a language."""
        return csv_text(self.columns, (self.cells(each.fields) for each in records))

    def things(self, records: Iterable[RowRecord]) -> Iterator[Ref]:
        """Yield the entities that rows are; a subclass may."""
        yield from ()

    def stated(self, record: RowRecord) -> Iterator[tuple[Triple, str]]:
        """Yield the relations that columns of a row state, with the column; a subclass may."""
        yield from ()

    def refused(self, hospital: Hospital, records: Iterable[RowRecord]) -> Iterator[Mistake]:
        """Yield what rows of staff stand against; a subclass may."""
        yield from ()

    def check(self, pack: PackContext, findings: Findings) -> None:
        """Note what other files of the pack show to be wrong; a subclass may."""

    def check_once(self, records: Iterable[RowRecord], findings: Findings) -> None:
        """Note every record that was given before."""
        name, of = self.called
        findings.check_once(
            (self.named(each.fields), each.fields[of][:LONGEST], name, each.place)
            for each in records
        )

    def attached(
        self, folder: Path, records: tuple[RowRecord, ...], findings: Findings
    ) -> dict[str, bytes]:
        """Return the files that rows list, by their place in the folder; a subclass may."""
        return {}

    def copies(self, hospital: Hospital) -> Iterator[tuple[str, bytes]]:
        """Yield the files that rows list, by their place in the folder; a subclass may."""
        yield from ()

    def table(self) -> Spreadsheet:
        """Return the same sheet as a spreadsheet of the back office."""
        own = self.model._meta.concrete_fields
        dates = frozenset(each.name for each in own if isinstance(each, DateField))
        return SheetTable(
            self.model, self.columns, self.needed, dates.intersection(self.columns), self.apart,
            self.long, self.has_blanks, self,
        )  # fmt: skip


@dataclass(frozen=True)
class SheetTable(Spreadsheet):
    """The rows of a sheet by the cells of a spreadsheet."""

    sheet: Any = None

    @cached_property
    def house(self) -> FactContext:
        return house_of(Hospital.objects.get(pk=required_hospital_id()))

    def said(self, cells: Cells) -> dict[str, Any]:
        findings = Findings()
        line = PackRow("", 0, dict.fromkeys(self.columns, "") | cells, {}, findings)
        record = self.sheet.row(line, self.house)
        for mistake in findings.mistakes:
            raise WrongCell(mistake.sentence, str(mistake.column))
        found = dict(record.fields) if record else {}
        if found.get("subject"):
            found["subject"] = entity_of(cells, "subject_kind", "subject")
        return found

    def find(self, cells: Cells) -> Any:
        found = self.said(cells)
        ends = {name: found[name] for name in self.sheet.identity}
        rows = self.model.objects.filter(**ends)
        return rows.first() or self.model(hospital_id=required_hospital_id(), **ends)

    def fill(self, row: Any, cells: Cells) -> Changed:
        found, sheet = self.said(cells), self.sheet
        names = [name for name in sheet.fields if name in cells and name not in sheet.identity]
        before = row_cells(row, names)
        for name in names:
            setattr(row, name, found[name])
        # What only says which row it is does not fill in a blank one.
        counted = [name for name in names if not (self.has_blanks and name in sheet.needed)]
        return differences(before, row_cells(row, counted))

    def write(self) -> Iterator[Sequence[str]]:
        for row in self.sheet.rows(required_hospital_id()):
            yield self.sheet.cells(self.sheet.said(row))


def pack_sheets() -> tuple[Sheet, ...]:
    """Return all sheets of rows, in the order in which they are loaded."""
    return tuple(sheet for each in registered for sheet in each())


def in_order(rows: Iterable[Any]) -> list[Any]:
    """Return rows as the pack had them; those that staff made come last."""
    return sorted(rows, key=lambda row: (row.position == 0, row.position, row.pk))


def laid_over(row: Any, values: Mapping[str, Any]) -> Change:
    """Give a row these values, and say whether that changed it."""
    differing = [name for name, value in values.items() if getattr(row, name) != value]
    for name in differing:
        setattr(row, name, values[name])
    if differing:
        row.save(update_fields=differing)
    return Change.CHANGED if differing else Change.UNCHANGED


def lay_rows(
    subject: str,
    existing: dict[Any, Any],
    wanted: Iterable[tuple[Any, Callable[..., Any], Mapping[str, Any]]],
    changes: Changes,
    mark: str = "position",
) -> None:
    """Make rows what a pack says, and count it: of each its identity, what makes it where there is
    none, and its values. Rows that staff made have no place in the pack, and stay."""
    new = []
    for position, (identity, made, values) in enumerate(wanted, start=1):
        said, row = {"position": position, **values}, existing.pop(identity, None)
        if row is None:
            new.append(made(**said))
        else:
            changes.count(subject, laid_over(row, said))
    if own := [row for row in existing.values() if getattr(row, mark)]:
        type(own[0]).objects.filter(pk__in=[row.pk for row in own]).delete()
    changes.count(subject, Change.GONE, len(own))
    if new:
        type(new[0]).objects.bulk_create(new, batch_size=1_000)
    changes.count(subject, Change.NEW, len(new))
