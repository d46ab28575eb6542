"""CSV and XLSX as rows of text, and back."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

import tablib
from django.utils.translation import gettext as _

from zol.errors import BadInput
from zol.text import squash

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MOST_ROWS, MOST_BYTES = 5_000, 2_000_000
#: What a spreadsheet would run as a formula; written with a quote before it, and read without.
_FORMULA = ("=", "@")


class Row(NamedTuple):
    #: As the spreadsheet numbers it; the first row names the columns.
    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def read_table(data: bytes, name: str) -> Table:
    """Return what a file holds; a mistake of the file as a whole is said in a sentence."""
    if len(data) > MOST_BYTES:
        raise BadInput(_("The file is larger than 2 MB; divide it."))
    ending = name.rpartition(".")[2].lower()
    if ending not in FORMATS:
        raise BadInput(_("A table is a file that ends in .csv or .xlsx."))
    rows = _xlsx(data) if ending == "xlsx" else _csv(data)
    if not rows or not any(rows[0]):
        raise BadInput(_("The file is empty: its first row names the columns."))
    if len(rows) > MOST_ROWS + 1:
        raise BadInput(_("The file has more than %d rows; divide it.") % MOST_ROWS)
    columns = tuple(cell.lower() for cell in rows[0])
    if repeated := next((c for c in columns if c and columns.count(c) > 1), ""):
        raise BadInput(_("The column “%s” is there twice.") % repeated)
    found = (
        Row(number, dict(zip(columns, cells, strict=False)))
        for number, cells in enumerate(rows[1:], start=2)
        if any(cells)
    )
    return Table(tuple(filter(None, columns)), tuple(found))


def _csv(data: bytes) -> list[list[str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(_("The file is not UTF-8: save it as “CSV UTF-8”.")) from None
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise BadInput(_("The file is no CSV: %s.") % error) from error
    return [[_cell(cell) for cell in row] for row in rows]


def _xlsx(data: bytes) -> list[list[str]]:
    try:
        read = tablib.Dataset().load(data, format="xlsx", headers=False)
    except Exception as error:
        raise BadInput(_("The file is no workbook that can be read.")) from error
    return [[_cell(cell) for cell in row] for row in read]


def _cell(value: Any) -> str:
    """Return a cell as text: a whole number without decimals, a date as 2026-05-31."""
    match value:
        case None:
            return ""
        case datetime() | date():
            return value.isoformat()[:10]
        case float() if value.is_integer():
            return str(int(value))
    text = squash(str(value))
    return text[1:] if text.startswith(tuple(f"'{sign}" for sign in _FORMULA)) else text


def write_table(columns: Sequence[str], rows: Iterable[Sequence[str]], ending: str) -> bytes:
    """Return a file that reads back as these rows."""
    made = tablib.Dataset(headers=list(columns))
    for row in rows:
        made.append([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row])
    written = made.export(ending)
    # The mark tells spreadsheets that a CSV is UTF-8.
    return written if isinstance(written, bytes) else written.encode("utf-8-sig")
