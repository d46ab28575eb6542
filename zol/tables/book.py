"""Cells of the first sheet of a workbook, read in the sandbox process (`zol.runtime.confined`).

Sizes are checked before openpyxl reads the file: it creates every cell of a merged area, and a file
of 5 kB can merge all 17 billion cells of a sheet.
"""

from __future__ import annotations

import fnmatch
import io
import zipfile
from collections.abc import Iterator
from datetime import date, time, timedelta
from typing import Any, NamedTuple

from defusedxml.ElementTree import iterparse
from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

from zol.errors import TooCostly, UnreadableDocument

#: Maximum size of an unpacked workbook in bytes, against zip bombs.
MOST_UNPACKED = 60_000_000
#: Maximum number of cells in merged areas.
MOST_MERGED = 20_000
#: Reason of a refusal.
IS_MERGED = "Its merged areas cover too many cells"


class BookCell(NamedTuple):
    """A cell of the file; dates and times are tuples of numbers."""

    row: int
    column: int
    #: "date" (year, month, day), "time" (hour, minute, second) or "" for any other value.
    kind: str
    value: Any
    #: openpyxl's code of the data type.
    data_type: str
    form: str
    is_struck: bool
    is_unsolved: bool


def work(data: bytes, _asked: Any, _say: Any) -> dict[str, Any]:
    """Return the active sheet of a workbook, or its first if that is a chart."""
    try:
        return _read(data)
    except (UnreadableDocument, MemoryError):
        raise
    except Exception as error:
        raise UnreadableDocument(str(error)) from error


def _read(data: bytes) -> dict[str, Any]:
    has_formulas = _has_formulas(data)
    book = load_workbook(io.BytesIO(data), data_only=True)
    sheet = _first(book)
    formulas = _first(load_workbook(io.BytesIO(data))) if has_formulas else None
    hidden = [each for each in sheet.column_dimensions.values() if each.hidden]
    return {
        "title": sheet.title,
        "titles": [each.title for each in book.worksheets],
        "cells": list(_cells(sheet, formulas)),
        "areas": [(*each.bounds, each.coord) for each in sheet.merged_cells.ranges],
        "hidden_rows": [at for at, each in sheet.row_dimensions.items() if each.hidden],
        "hidden_columns": [(each.min or 0, each.max or 0) for each in hidden],
    }


def _first(book: Any) -> Any:
    return book.active if book.active in book.worksheets else book.worksheets[0]


def _has_formulas(data: bytes) -> bool:
    """Return whether any sheet has formulas; refuse a workbook that is too large."""
    found, merged = False, 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
            raise TooCostly("It is too large once unpacked")
        for name in fnmatch.filter(archive.namelist(), "xl/worksheets/*.xml"):
            for _event, element in iterparse(archive.open(name)):
                tag = element.tag.rpartition("}")[2]
                found = found or tag == "f"
                if tag == "mergeCell":
                    left, top, right, bottom = range_boundaries(element.get("ref", "A1"))
                    merged += (right - left + 1) * (bottom - top + 1)
                if merged > MOST_MERGED:
                    raise TooCostly(IS_MERGED)
                if tag == "row":
                    element.clear()
    return found


def _cells(sheet: Any, formulas: Any) -> Iterator[BookCell]:
    # Only stored cells: formatting may extend to a million rows.
    for (row, column), cell in sheet._cells.items():
        kind, value = _kind(cell.value)
        is_bare = cell.value is None and cell.data_type != "str" and formulas is not None
        is_unsolved = is_bare and formulas.cell(row, column).data_type == "f"
        if value is None and not is_unsolved:
            continue
        is_struck = bool(cell.font and cell.font.strike)
        form = str(cell.number_format)
        yield BookCell(row, column, kind, value, cell.data_type, form, is_struck, is_unsolved)


def _kind(value: Any) -> tuple[str, Any]:
    match value:
        case date():  # Including datetimes.
            return "date", (value.year, value.month, value.day)
        case time():
            return "time", (value.hour, value.minute, value.second)
        case timedelta():
            minutes, seconds = divmod(round(value.total_seconds()), 60)
            return "time", (*divmod(minutes, 60), seconds)
        case None | bool() | int() | float() | str():
            return "", value
    return "", str(value)
