"""Read and write CSV and XLSX as rows of text."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

from zol.errors import BadInput
from zol.tables.lines import (
    CellDoubt,
    Doubt,
    NotText,
    TableLine,
    UnreadableLine,
    Weight,
    decoded,
    lines_of,
)
from zol.tables.workbook import (
    NoWorkbook,
    failed_formula,
    refuse_wide,
    sheet_of_book,
    unsolved_formula,
)
from zol.text import csv_lines, squash, without_quote

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MOST_ROWS, MOST_BYTES = 5_000, 2_000_000
_KEPT = re.compile(r'="([^"]*)"')
#: Invisible characters, which come with pasted text.
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
#: Number format of a text cell.
_TEXT = "@"
#: Scientific notation into which a spreadsheet turns a long number: 1,2007E+07.
_SHORTENED = re.compile(r"-?\d(?:[.,]\d+)?E[+-]\d{2,3}", re.IGNORECASE)
#: Error values of formulas, in any language, and numbers too wide for their column: #REF!, ###.
_FAILED = re.compile(r"#[^\W\d_][\w/]*[!?]?|#{2,}")
#: Doubts that keep a cell from being read.
_NOT_READ = (Weight.LEFT, Weight.WRONG)


class TableRow(NamedTuple):
    #: Row number in the spreadsheet.
    number: int
    #: Readable cells by column name, as the sheet shows them.
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    doubts: tuple[Doubt, ...] = ()


def read_table(data: bytes, name: str, long: Collection[str] = ()) -> Table:
    """Return the table in a file; cells are single lines except in `long` columns.

    :raises BadInput: when the file as a whole cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise BadInput(_("The file is larger than 2 MB: split it."))
    ending = name.rpartition(".")[2].lower()
    if ending not in FORMATS:
        raise BadInput(_("Choose a file that ends in .csv or .xlsx."))
    read, found = _xlsx(data) if ending == "xlsx" else _csv(data)
    lines = [*_shown(read, long)]
    # A row without readable cells is not empty.
    doubtful = {each.row for each in found if each.weight is not Weight.REPORTED}
    lines = [line for line in lines if any(line.cells) or line.number in doubtful]
    if not lines or not any(lines[0].cells):
        raise BadInput(_("The file is empty: write the names of the columns in its first row."))
    if len(lines) > MOST_ROWS + 1:
        raise BadInput(_("The file has more than %d rows: split it.") % MOST_ROWS)
    refuse_wide(len(lines[0].cells))
    columns = tuple(cell.lower() for cell in lines[0].cells)
    if repeated := next((c for c in columns if c and columns.count(c) > 1), ""):
        raise BadInput(_("The column “%s” is there twice: remove one.") % repeated)
    doubts = [*_named(found, columns, lines[0].number)]
    for line in lines[1:]:
        doubts += _misfits(line, columns)
    unread = {(each.row, each.column) for each in doubts if each.weight in _NOT_READ}
    cut = {row for row, column in unread if not column}
    rows = (
        TableRow(
            line.number,
            {
                name: cell
                for name, cell in zip(columns, line.cells, strict=False)
                if name and line.number not in cut and (line.number, name) not in unread
            },
        )
        for line in lines[1:]
    )
    return Table(tuple(filter(None, columns)), tuple(rows), tuple(sorted(doubts)))


def _named(found: Iterable[CellDoubt], columns: Sequence[str], header: int) -> Iterator[Doubt]:
    """Yield doubts with column names instead of numbers."""
    for row, column, sentence, weight in found:
        name = columns[column - 1] if 0 < column <= len(columns) else ""
        is_relevant = name or not column or weight is not Weight.LEFT
        if is_relevant and (row != header or weight is Weight.WRONG):
            yield Doubt(row, name, sentence, weight)


def _misfits(line: TableLine, columns: Sequence[str]) -> Iterator[Doubt]:
    """Yield doubts about cells without a column, columns without a cell, and values that a
    spreadsheet has damaged."""
    named = [*zip_longest(columns, line.cells, fillvalue="")]
    for name, cell in named:
        if name and (sentence := _spoilt(cell)):
            yield Doubt(line.number, name, sentence, Weight.WRONG)
    if surplus := [f"“{cell}”" for name, cell in named if cell and not name]:
        text = _(
            "More cells than columns: %s. Put quotes around a cell that contains the "
            "separator, or name its column in the first row."
        )
        yield Doubt(line.number, "", text % ", ".join(surplus), Weight.WRONG)
    if missing := ", ".join(filter(None, columns[len(line.cells) :])):
        text = _("The row ends before %s: the missing cells keep their current values.")
        yield Doubt(line.number, "", text % missing, Weight.REPORTED)


def _spoilt(cell: str) -> str:
    if _FAILED.fullmatch(cell) and cell == cell.upper():
        return failed_formula(cell)
    if _SHORTENED.fullmatch(cell):
        text = _(
            "A spreadsheet shortened a longer number to “%s”: give the column the format "
            "“text” and enter the number again."
        )
        return text % cell
    return ""


def _csv(data: bytes) -> tuple[list[TableLine], list[CellDoubt]]:
    try:
        text, is_guess = decoded(data)
        found = list(lines_of(text))
    except NotText:
        raise BadInput(_("The file is not UTF-8: save it as “CSV UTF-8”.")) from None
    except UnreadableLine as error:
        raise BadInput(_("The file is not valid CSV: %s.") % error) from error
    guess = _(
        "The file is not UTF-8, so it was read as Windows Western European: check the "
        "letters with accents, or save it as “CSV UTF-8”."
    )
    doubts = [CellDoubt(0, 0, guess, Weight.REPORTED)] if is_guess else []
    for line in found:
        for column, cell in enumerate(line.cells, start=1):
            # A formula that keeps a leading 0: ="0477123456".
            if kept := _KEPT.fullmatch(cell.strip()):
                line.cells[column - 1] = kept[1]
            elif cell.startswith("="):
                doubts.append(CellDoubt(line.number, column, unsolved_formula(), Weight.WRONG))
    return found, doubts


def _xlsx(data: bytes) -> tuple[list[TableLine], list[CellDoubt]]:
    try:
        return sheet_of_book(data)
    except NoWorkbook as error:
        raise BadInput(_("The file is not a readable workbook: save it as .xlsx again.")) from error


def _shown(read: Sequence[TableLine], long: Collection[str]) -> Iterator[TableLine]:
    header = next((line.cells for line in read if any(line.cells)), [])
    kept = {at for at, cell in enumerate(header) if _cell(cell).lower() in long}
    for line in read:
        cells = (_cell(cell, is_long=at in kept) for at, cell in enumerate(line.cells))
        yield line._replace(cells=[*cells])


def _cell(text: str, *, is_long: bool = False) -> str:
    text = without_quote(_UNSEEN.sub("", text).lstrip(" "))
    return "\n".join(map(squash, text.split("\n"))).strip() if is_long else squash(text)


def write_table(columns: Sequence[str], rows: Iterable[Sequence[str]], ending: str) -> bytes:
    """Return the rows as a CSV or XLSX file."""
    if ending == "xlsx":
        return _workbook([columns, *rows])
    file = io.StringIO(newline="")
    file.writelines(csv_lines(columns, rows))
    # Spreadsheets recognise UTF-8 by the byte order mark.
    return file.getvalue().encode("utf-8-sig")


def _workbook(rows: Iterable[Sequence[str]]) -> bytes:
    """Return a workbook of text cells, in which codes and telephone numbers stay as typed."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in rows:
        cells = [WriteOnlyCell(sheet, value=text) for text in row]
        for cell in cells:
            # Never evaluated as a formula.
            cell.number_format, cell.data_type = _TEXT, "s"
        sheet.append(cells)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
