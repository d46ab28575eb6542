"""Lines of the first sheet of a workbook, with doubts about its cells.

A cell is read as the sheet shows it: a telephone number keeps the 0 that comes from its format. A
value that the file does not contain (the result of a formula, digits beyond the precision of a
number) is reported, and never read as an empty cell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from openpyxl.utils import get_column_letter

from zol.errors import BadInput, TooCostly, UnreadableDocument
from zol.runtime.confined import Confined
from zol.tables.book import IS_MERGED, MOST_MERGED, BookCell
from zol.tables.lines import CellDoubt, TableLine, Weight

#: Seconds and bytes of memory for one workbook.
LONGEST, MEMORY = 20.0, 1024**3
#: Maximum number of columns.
MOST_COLUMNS = 300
#: Precision of numbers in spreadsheets; further digits are lost.
DIGITS = 15
#: Parts of a number format: quoted and escaped text is shown, brackets are not.
_PIECE = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[[^\]]*\]|_.|\*.|(?P<digit>[0#?])|(?P<other>.)'
)
#: Formats that lay out the digits of a whole number.
_DIGITS_ONLY = re.compile(r"[^.?%EeyYdDmMhHsS@]*")
#: Formats that always show decimals.
_DECIMALS = re.compile(r"[^.EeG]*\.[0?][^.EeG]*")
#: Condition of a section of a format.
_CONDITION = re.compile(r"\[(?P<sign>[<>=]{1,2})(?P<limit>-?[\d.]+)\]")
_MET = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "<>": ne}

Cells = dict[tuple[int, int], str]


class NoWorkbook(ValueError):
    """A file that cannot be read as a workbook."""


#: Ended after each workbook, to free its memory.
_confined = Confined(MEMORY, most=1)


def sheet_of_book(data: bytes) -> tuple[list[TableLine], list[CellDoubt]]:
    """Return the lines of the active sheet of a workbook, and doubts about it."""
    try:
        sheet = _confined.ask("zol.tables.book:work", data, None, longest=LONGEST)
    except TooCostly as error:
        if str(error) == IS_MERGED:
            text = _(
                "Merged cells cover more than %d cells of a sheet: unmerge them, and try again."
            )
            raise BadInput(text % MOST_MERGED) from error
        text = _("The workbook takes too much time or memory: save the sheet you need as CSV.")
        raise BadInput(text) from error
    except UnreadableDocument as error:
        raise NoWorkbook(str(error)) from error
    return _read(sheet)


def unsolved_formula() -> str:
    return _(
        "This cell holds a formula without a saved result: open the file in your spreadsheet "
        "program and save it, or type the value."
    )


def failed_formula(shown: str) -> str:
    return _("The formula in this cell gives an error: %s.") % shown


def _read(sheet: Mapping[str, Any]) -> tuple[list[TableLine], list[CellDoubt]]:
    texts: Cells = {}
    doubts: list[CellDoubt] = []
    for cell in (BookCell(*each) for each in sheet["cells"]):
        text, weight, sentence = _shown(cell)
        if cell.is_unsolved:
            weight, sentence = Weight.WRONG, unsolved_formula()
        if text:
            texts[cell.row, cell.column] = text
        if sentence:
            doubts.append(CellDoubt(cell.row, cell.column, sentence, weight))
    doubts += _merged(sheet["areas"], texts, doubts)
    doubts += _unseen(sheet, texts)
    by_row: dict[int, dict[int, str]] = defaultdict(dict)
    for (row, column), text in texts.items():
        by_row[row][column] = text
    width = max((column for _row, column in texts), default=0)
    refuse_wide(width)
    lines = [
        TableLine(row, row, [by_row[row].get(column, "") for column in range(1, width + 1)])
        for row in sorted({1, *by_row})
    ]
    return lines, doubts


def refuse_wide(columns: int) -> None:
    """Refuse a table with too many columns."""
    if columns > MOST_COLUMNS:
        text = _(
            "The file has %(columns)d columns, and at most %(most)d are read: remove the others."
        )
        raise BadInput(text % {"columns": columns, "most": MOST_COLUMNS})


def _merged(
    areas: Sequence[Sequence[Any]], texts: Cells, doubts: Sequence[CellDoubt]
) -> Iterator[CellDoubt]:
    """Copy the text of merged cells to each row that they cover; yield doubts about it."""
    doubtful = {(each.row, each.column): each for each in doubts if each.weight != Weight.REPORTED}
    for left, top, right, bottom, coord in areas:
        text, doubt = texts.get((top, left), ""), doubtful.get((top, left))
        if not (text or doubt):
            continue
        for row in range(top + 1, bottom + 1):
            texts[row, left] = text
            yield doubt._replace(row=row) if doubt else CellDoubt(
                row, left,
                _("Merged cells (%(area)s): “%(text)s” is read for each row that they cover.")
                % {"area": coord, "text": text},
                Weight.REPORTED,
            )  # fmt: skip
        for row, column in product(range(top, bottom + 1), range(left + 1, right + 1)):
            sentence = _("Merged cells (%s) cover this cell, so its field keeps its value.") % coord
            yield CellDoubt(row, column, sentence, Weight.LEFT)


def _unseen(sheet: Mapping[str, Any], texts: Cells) -> Iterator[CellDoubt]:
    """Yield doubts about hidden rows and columns, which are read, and sheets that are not."""
    if len(sheet["titles"]) > 1:
        others = ", ".join(f"“{title}”" for title in sheet["titles"] if title != sheet["title"])
        names = {"read": sheet["title"], "others": others}
        text = _("Only the sheet “%(read)s” was read. Not read: %(others)s.")
        yield CellDoubt(0, 0, text % names, Weight.REPORTED)
    for row in sorted({row for row, _column in texts} & {*sheet["hidden_rows"]}):
        text = _("This row is hidden in the sheet, but was read anyway.")
        yield CellDoubt(row, 0, text, Weight.REPORTED)
    used = sorted({column for _row, column in texts})
    for first, last in sheet["hidden_columns"]:
        for column in (each for each in used if first <= each <= last):
            text = _("Column %s is hidden in the sheet, but was read anyway.")
            yield CellDoubt(0, column, text % get_column_letter(column), Weight.REPORTED)


def _shown(cell: BookCell) -> tuple[str, Weight, str]:
    """Return the text that a cell shows, and a doubt about it."""
    if sentence := _mistake(cell.value, cell.data_type):
        return "", Weight.WRONG, sentence
    match cell.kind, cell.value:
        case "date", (year, month, day):
            text = _(
                "The spreadsheet turned this cell into a date: %s. Give the column the "
                "format “text” and enter the value again."
            )
            shown = f"{day}-{month}-{year}"
            return date(year, month, day).isoformat(), Weight.DATE, text % shown
        case "time", (hour, minute, second):
            text = f"{hour}:{minute:02}" + (f":{second:02}" if second else "")
        case _, int() | float() as number:
            text = _number(number, cell.form)
        case _, other:
            text = str(other or "")
    is_struck = text and cell.is_struck
    return text, Weight.REPORTED, _("This text is struck out in the sheet.") if is_struck else ""


def _mistake(value: Any, data_type: str) -> str:
    """Return why the value of a cell is unreadable, or an empty text."""
    if data_type == "e":
        return failed_formula(value)
    if isinstance(value, bool):
        return _(
            "The spreadsheet turned this cell into TRUE or FALSE: give the column the "
            "format “text” and enter the value again."
        )
    if isinstance(value, int | float) and abs(value) >= 10**DIGITS:
        return _(
            "A spreadsheet keeps only 15 digits of a number, and this one had more: give "
            "the column the format “text” and enter the number again."
        )
    return ""


def _number(value: float, form: str) -> str:
    """Return a number as its format shows it, with leading zeros and signs."""
    pieces = [*_PIECE.finditer(_section(value, form))]
    bare = "".join(piece["digit"] or piece["other"] or "" for piece in pieces)
    # Only significant digits: the file may contain binary rounding errors.
    exact = Decimal(f"{value:.{DIGITS}g}")
    if "%" in bare:
        return f"{_decimals(exact * 100, bare)}%"
    is_whole = float(value).is_integer() and not _DECIMALS.fullmatch(bare)
    if is_whole and value >= 0 and form != "General" and _DIGITS_ONLY.fullmatch(bare):
        return _by_digits(str(int(value)), pieces)
    return str(int(value)) if is_whole else _decimals(exact, bare if "." in bare else "")


def _section(value: float, form: str) -> str:
    """Return the section of a format that applies to a number: the first whose condition holds."""
    sections = form.split(";")
    for section in sections:
        condition = _CONDITION.match(section)
        if condition is None or _MET[condition["sign"]](value, float(condition["limit"])):
            return section
    return sections[0]


def _decimals(exact: Decimal, bare: str) -> str:
    """Return a number with the decimals of its format, or with all if it has none."""
    if "%" in bare or "." in bare:
        places = len(re.sub(r"[^0#?]", "", bare.partition(".")[2]))
        exact = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{exact:f}".replace(".", str(get_format("DECIMAL_SEPARATOR")))


def _by_digits(digits: str, pieces: list[re.Match[str]]) -> str:
    """Fill a format such as "000 00 00 00" from its end; surplus digits come first."""
    found: list[str] = []
    left, last = [*digits], next((p.start() for p in pieces if p["digit"]), -1)
    for piece in reversed(pieces):
        if mark := piece["digit"]:
            if left or mark == "0":
                found.append(left.pop() if left else "0")
            if piece.start() == last:
                found += reversed(left)
        elif (other := piece["other"]) != ",":  # Thousands separators are left out.
            found.append(piece["quoted"] or piece["escaped"] or other or "")
    return "".join(reversed(found)).strip()
