"""Taking a table over: all of it or nothing, and a preview that is the same without being kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from taxonomy.tables.files import Row, Table
from taxonomy.tables.lines import Weight
from taxonomy.tables.sheets import Sheet, WrongCell, meant_by
from zol.models import Hospital
from zol.values import nearest


class State(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Line:
    """What becomes of one row."""

    number: int
    state: State
    name: str
    #: Column, before, after.
    changes: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong, and where; row 0 is the table as a whole."""

    row: int
    column: str
    sentence: str

    def __str__(self) -> str:
        return _("Row %(row)d, column %(column)s: %(sentence)s") % {
            "row": self.row, "column": self.column, "sentence": self.sentence,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Taken:
    """What a table comes to."""

    lines: tuple[Line, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    #: What is doubtful and was read all the same, or left as it was.
    doubts: tuple[Mistake, ...] = ()

    def count(self, state: State) -> int:
        return sum(line.state is state for line in self.lines)

    @property
    def changed(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.state is not State.UNCHANGED)


def take(hospital: Hospital, sheet: Sheet, table: Table, *, keep: bool) -> Taken:
    """Lay a table over the draft. With a mistake in it, or without `keep`, nothing is changed.

    A row that is not in the table stays as it is, as does a column that is not in it.
    """
    wrong, said = _doubts(sheet, table)
    if mistakes := tuple(_columns(sheet, table)):
        return Taken(mistakes=(*mistakes, *wrong), doubts=said)
    lines: list[Line] = []
    found: list[Mistake] = [*wrong]
    seen: dict[tuple[str, ...], int] = {}
    with transaction.atomic():
        for row in table.rows:
            try:
                _check_once(sheet, row, seen)
                with transaction.atomic():
                    lines.append(_lay(hospital, sheet, row))
            except WrongCell as error:
                found.append(Mistake(row.number, error.column, error.sentence))
            except ValidationError as error:
                found += _said(sheet, row, error)
            except IntegrityError:
                found.append(Mistake(row.number, sheet.identity[0], _("This is there already.")))
        if found or not keep:
            transaction.set_rollback(True)
    return Taken(tuple(lines), tuple(_each_once(found)), said)


def _doubts(sheet: Sheet, table: Table) -> tuple[tuple[Mistake, ...], tuple[Mistake, ...]]:
    """Return the doubts with which nothing can be taken over, and all others."""
    wrong: list[Mistake] = []
    said: list[Mistake] = []
    for row, column, sentence, weight in table.doubts:
        is_date = weight == Weight.DATE
        if not (is_date and column in sheet.dates):
            is_wrong = is_date or weight == Weight.WRONG
            (wrong if is_wrong else said).append(Mistake(row, column, sentence))
    return tuple(wrong), tuple(said)


def _each_once(found: Iterable[Mistake]) -> Iterator[Mistake]:
    """Yield mistakes row by row, of each cell the first: others may follow from it, and in a row
    that is wrong as a whole they do."""
    first: dict[tuple[int, str], Mistake] = {}
    for mistake in found:
        if (mistake.row, "") not in first:
            first.setdefault((mistake.row, mistake.column), mistake)
    yield from sorted(first.values(), key=lambda mistake: mistake.row)


def _columns(sheet: Sheet, table: Table) -> Iterator[Mistake]:
    for name in table.columns:
        if name not in sheet.columns:
            text = _("There is no such column; known are: %s.") % ", ".join(sheet.columns)
            meant = meant_by(nearest(name, sheet.names()))
            yield Mistake(1, name, " ".join(filter(None, [text, meant])))
    for name in sheet.identity:
        if name not in table.columns:
            yield Mistake(1, name, _("This column is missing."))


def _check_once(sheet: Sheet, row: Row, seen: dict[tuple[str, ...], int]) -> None:
    for name in sheet.identity:
        if not row.cells.get(name):
            raise WrongCell(name, _("This cell is empty."))
    named = dict.fromkeys((*sheet.identity, *sheet.apart))
    identity = tuple(row.cells.get(name, "").casefold() for name in named)
    if (first := seen.setdefault(identity, row.number)) and first != row.number:
        raise WrongCell(sheet.identity[-1], _("This stands in row %d already.") % first)


def _lay(hospital: Hospital, sheet: Sheet, row: Row) -> Line:
    cells = {name: row.cells.get(name, "") for name in sheet.columns if name in row.cells}
    target: Any = sheet.find(cells, hospital.pk)
    is_new = target.pk is None
    changed = sheet.fill(target, cells)
    if not changed and (sheet.has_blanks or not is_new):
        return Line(row.number, State.UNCHANGED, str(target))
    target.full_clean()
    target.save()
    changes = tuple((name, before, after) for name, (before, after) in changed.items())
    return Line(row.number, State.NEW if is_new else State.CHANGED, str(target), changes)


def _said(sheet: Sheet, row: Row, error: ValidationError) -> Iterator[Mistake]:
    """Yield what is wrong with a row, column by column."""
    for name, sentences in error.message_dict.items():
        column = "sort" if name == "kind" and "sort" in sheet.columns else name
        column = column if column in sheet.columns else sheet.identity[-1]
        yield from (Mistake(row.number, column, sentence) for sentence in sentences)
