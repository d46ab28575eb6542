"""Import of a single table: all or nothing, with a preview."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from taxonomy.models import Alias, Doctor, Entity, Fact, OwnNames, Relation
from taxonomy.packs.cells import WrongCell, meant_by
from taxonomy.packs.findings import CellPlace, Change, Mistake
from taxonomy.packs.relations import FACTS
from taxonomy.packs.spreadsheets import (
    ALIASES,
    DEPARTMENTS,
    RELATIONS,
    DoctorTable,
    EntityTable,
    Spreadsheet,
)
from zol.errors import BadInput
from zol.records.values import nearest
from zol.tables.lines import Weight
from zol.tables.table import Table, TableRow
from zol.text import fold

#: Maximum unknown names in a form.
MOST_NAMES = 300


@dataclass(frozen=True, slots=True)
class RowChange:
    """Outcome of one row."""

    number: int
    state: Change
    name: str
    #: Column, before, after.
    changes: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A column name or value unknown to us, with the candidates it may stand for."""

    #: The key in `OwnNames`: "naam", "status=uit dienst".
    key: str
    text: str
    #: Possible meanings with their labels, and the chosen one; "" means none.
    options: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """Preview of an import."""

    lines: tuple[RowChange, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    #: Doubtful cells, which were read or left unchanged.
    doubts: tuple[Mistake, ...] = ()

    def count(self, state: Change) -> int:
        return sum(line.state is state for line in self.lines)

    @property
    def changed(self) -> tuple[RowChange, ...]:
        return tuple(line for line in self.lines if line.state is not Change.UNCHANGED)


def sheet_of(model: type[Any]) -> Spreadsheet:
    """Return the spreadsheet of a model."""
    own = {Alias: ALIASES, Relation: RELATIONS, Fact: FACTS.table(distinguishing=FACTS.columns)}
    if model is Doctor:
        return DoctorTable.of(Doctor, DEPARTMENTS)
    return own.get(model) or EntityTable.of(model)


def mistake(row: int, column: str, sentence: str) -> Mistake:
    """Return a mistake in a spreadsheet; row 0 is the whole table."""
    return Mistake(CellPlace("", row, column), sentence)


def own_names(sheet: Spreadsheet) -> dict[str, str]:
    """Return the names in the hospital's own files for columns and values of a sheet."""
    row = OwnNames.objects.filter(row_set=sheet.model._meta.label_lower).first()
    return row.names if row else {}


def translated(sheet: Spreadsheet, table: Table, names: Mapping[str, str]) -> Table:
    """Replace the own names of columns and values in a table; drop columns without meaning."""
    ours = {column: names.get(column, column) for column in table.columns}
    kept = [column for column in ours.values() if column]
    if twice := next((column for column in kept if kept.count(column) > 1), ""):
        raise BadInput(_("Two columns are read as “%s”: keep one.") % twice)

    def cells(row: TableRow) -> dict[str, str]:
        return {column: names.get(_key(column, cell), cell)
                for name, cell in row.cells.items() if (column := ours[name])}  # fmt: skip

    rows = tuple(row._replace(cells=cells(row)) for row in table.rows)
    doubts = (doubt._replace(column=ours.get(doubt.column, "")) for doubt in table.doubts
              if ours.get(doubt.column, True))  # fmt: skip
    return Table(tuple(kept), rows, tuple(doubts))


def unknown_names(sheet: Spreadsheet, table: Table, names: Mapping[str, str]) -> list[UnknownName]:
    """Return the names in a file whose meaning staff must choose; empty if all are known."""
    labels = {name: str(field.verbose_name) for name, field in sheet.fields.items()}
    columns = tuple((column, labels.get(column, column)) for column in sheet.columns)
    found = []
    for column in table.columns:
        meant = column if column in sheet.columns else nearest(column, sheet.names())
        found.append(UnknownName(column, column, columns, names.get(column, meant)))
    for column in table.columns:
        ours = names.get(column, column)
        known = sheet.choices(ours)
        options = {value: word for word, value in reversed(known)}
        accepted = {fold(word) for word, value in known if word == value or ours in sheet.by_word}
        for cell in sorted({row.cells.get(column, "") for row in table.rows} - {""}):
            if known and fold(cell) not in accepted:
                key = _key(ours, cell)
                chosen = names.get(key, nearest(cell, known))
                found.append(UnknownName(key, f"{column}: {cell}", (*options.items(),), chosen))
    is_plain = all(each.key in sheet.columns for each in found)
    return [] if is_plain else found[:MOST_NAMES]


def _key(column: str, cell: str) -> str:
    return f"{column}={cell.casefold()}"


def apply_table(
    sheet: Spreadsheet, table: Table, *, keep: bool, is_all: bool = False
) -> ImportPreview:
    """Apply a table to the draft; with a mistake, or without `keep`, nothing changes.

    Rows and columns that the table lacks stay unchanged. If the table `is_all`, active rows that it
    lacks are hidden.
    """
    sheet = replace(sheet, identity=sheet.identity_in(table.columns))
    wrong, doubts = _doubts(sheet, table)
    if mistakes := tuple(_columns(sheet, table)):
        return ImportPreview(mistakes=(*mistakes, *wrong), doubts=doubts)
    lines: list[RowChange] = []
    found: list[Mistake] = [*wrong]
    seen: dict[tuple[str, ...], int] = {}
    there: set[int] = set()
    with transaction.atomic():
        for row in table.rows:
            try:
                _check_once(sheet, row, seen)
                with transaction.atomic():
                    lines.append(_apply_row(sheet, row, there))
            except WrongCell as error:
                found.append(mistake(row.number, error.column, str(error)))
            except ValidationError as error:
                found += _mistakes_of(sheet, row, error)
            except IntegrityError:
                text = _("This exists already: remove the row, or give it another key.")
                found.append(mistake(row.number, sheet.identity[0], text))
        if is_all and not found:
            lines += _gone(sheet, there)
        if found or not keep:
            transaction.set_rollback(True)
    return ImportPreview(tuple(lines), tuple(_each_once(found)), doubts)


def _doubts(sheet: Spreadsheet, table: Table) -> tuple[tuple[Mistake, ...], tuple[Mistake, ...]]:
    """Return the doubts that prevent the import, and all others."""
    wrong: list[Mistake] = []
    others: list[Mistake] = []
    for row, column, sentence, weight in table.doubts:
        is_date = weight == Weight.DATE
        if not (is_date and column in sheet.dates):
            is_wrong = is_date or weight == Weight.WRONG
            (wrong if is_wrong else others).append(mistake(row, column, sentence))
    return tuple(wrong), tuple(others)


def _each_once(found: Iterable[Mistake]) -> Iterator[Mistake]:
    """Yield the first mistake of each cell, sorted by row; others may follow from it.

    A mistake of the whole row replaces all later ones of its cells.
    """
    first: dict[tuple[int, int | str], Mistake] = {}
    for mistake in found:
        if (mistake.row, "") not in first:
            first.setdefault((mistake.row, mistake.column), mistake)
    yield from sorted(first.values(), key=lambda mistake: mistake.row)


def _columns(sheet: Spreadsheet, table: Table) -> Iterator[Mistake]:
    for name in table.columns:
        if name not in sheet.columns:
            text = _("This column is unknown. Known columns: %s.") % ", ".join(sheet.columns)
            meant = meant_by(nearest(name, sheet.names()))
            yield mistake(1, name, " ".join(filter(None, [text, meant])))
    for name in sheet.identity:
        if name not in table.columns:
            yield mistake(1, name, _("This column is missing: add it."))


def _check_once(sheet: Spreadsheet, row: TableRow, seen: dict[tuple[str, ...], int]) -> None:
    for name in sheet.identity:
        if not row.cells.get(name):
            raise WrongCell(_("This cell is empty: fill it in."), name)
    columns = dict.fromkeys((*sheet.identity, *sheet.distinguishing))
    identity = tuple(row.cells.get(name, "").casefold() for name in columns)
    if (first := seen.setdefault(identity, row.number)) and first != row.number:
        raise WrongCell(
            _("Row %d already says this: remove one of the two.") % first, sheet.identity[-1]
        )


def _gone(sheet: Spreadsheet, there: set[int]) -> Iterator[RowChange]:
    active, hidden = Entity.Status.ACTIVE, Entity.Status.HIDDEN
    for row in sheet.model.objects.filter(status=active).exclude(pk__in=there):
        row.status = hidden
        row.save(update_fields=["status"])
        yield RowChange(0, Change.GONE, str(row), (("status", str(active), str(hidden)),))


def _apply_row(sheet: Spreadsheet, row: TableRow, there: set[int]) -> RowChange:
    cells = {name: row.cells.get(name, "") for name in sheet.columns if name in row.cells}
    target: Any = sheet.find(cells)
    is_new = target.pk is None
    changed = sheet.fill(target, cells)
    if not changed and (sheet.has_blanks or not is_new):
        there.add(target.pk)
        return RowChange(row.number, Change.UNCHANGED, str(target))
    target.full_clean()
    sheet.keep(target)
    there.add(target.pk)
    changes = tuple((name, before, after) for name, (before, after) in changed.items())
    return RowChange(row.number, Change.NEW if is_new else Change.CHANGED, str(target), changes)


def _mistakes_of(sheet: Spreadsheet, row: TableRow, error: ValidationError) -> Iterator[Mistake]:
    """Yield the mistakes of a row by column."""
    for name, sentences in error.message_dict.items():
        column = "sort" if name == "kind" and "sort" in sheet.columns else name
        column = column if column in sheet.columns else sheet.identity[-1]
        yield from (mistake(row.number, column, sentence) for sentence in sentences)
