"""Play cases: a file, a text with numbers or a conversation, and what is right.

A text must hold patterns and must not hold others. A spreadsheet has to give cells: a text, a
pattern after "re:", or null for what has to be refused or said; `doubt_ok` are cells that may be
refused as well. Cells are checked as the import does, but for what only the rows of a hospital can
tell. A conversation is asked of the served hospital.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError

from chat.channels.frames import Numbers, html_of
from chat.services import take_turn
from chat.turn import Exchange, Turn
from retrieval.reading import read
from retrieval.reading.blocks import Block, Sort
from taxonomy.packs.cells import WrongCell
from taxonomy.packs.imports import sheet_of
from taxonomy.packs.spreadsheets import Spreadsheet
from zol import phones
from zol.errors import UnreadableDocument
from zol.models import Hospital
from zol.records.refusals import refusals
from zol.tables.lines import Weight
from zol.tables.table import read_table

Case = dict[str, Any]
#: What stands before a row of column names, to tell it from other rows.
NAMES = "|\u2502 \u2009\x1f"
_DIALLED = re.compile(r'href="tel:([^"]+)"')


def text_of(blocks: Sequence[Block]) -> str:
    """Return a document as it would be shown: names of columns once, marks before items."""
    lines, last = [], ""
    for block in blocks:
        lines += [f"| {block.header.lstrip(NAMES)}"] if block.header not in ("", last) else []
        lines.append(block.mark + block.text)
        last = block.header
    return "\n".join(lines)


def faults_of_text(case: Case, data: bytes) -> Iterator[str]:
    try:
        blocks = read(data, case["media"])
    except UnreadableDocument as error:
        if not case.get("or_refused"):
            yield f"refused: {error}"
        return
    yield from _unlike(case, text_of(blocks))
    headings = [block.text for block in blocks if block.sort is Sort.HEADING]
    for each in case.get("headings", ()):
        if not any(each in heading for heading in headings):
            yield f"no heading: {each}"


def _unlike(case: Case, text: str) -> Iterator[str]:
    yield from (f"lacks {each}" for each in case["must"] if not re.search(each, text))
    yield from (f"has {each}" for each in case["must_not"] if re.search(each, text))


def is_refused(sheet: Spreadsheet, column: str, cell: str) -> bool:
    """Say whether a cell could not be kept, as far as it can be told without other rows."""
    if column not in sheet.columns:
        return False
    row = sheet.model(hospital=Hospital(country="be"))
    others = {field.name for field in row._meta.fields if field.name != column}
    try:
        sheet.fill(row, {"key": "row", column: cell})
        row.clean_fields(exclude=others)
    except (WrongCell, ValidationError):
        return True
    return column in dict(refusals(row, row.checks()))


def faults_of_sheet(case: Case, data: bytes) -> Iterator[str]:
    sheet = sheet_of(apps.get_model("taxonomy", case["model"]))
    table = read_table(data, case["file"])
    said = {row for row, *_rest, weight in table.doubts if weight is Weight.REPORTED}
    # Whether a date is out of place is known of columns that the product has.
    is_weighed = {Weight.DATE: set(sheet.columns) - sheet.dates, Weight.REPORTED: set()}
    wrong = {
        (row, column)
        for row, column, _sentence, weight in table.doubts
        if column in is_weighed.get(weight, {column})
    }
    wanted = [(i, c, v) for i, row in enumerate(case.get("rows", ())) for c, v in row.items()]
    wanted += [(0 if row is None else row - 2, c, v) for row, c, v in case.get("cells", ())]
    if "rows" in case and len(table.rows) != len(case["rows"]):
        yield f"{len(table.rows)} rows, not {len(case['rows'])}"
    for index, column, value in wanted:
        number, cells = table.rows[index] if index < len(table.rows) else (0, {})
        cell = cells.get(column)  # None too in a row that is in doubt as a whole.
        if cell is None or (number, column) in wrong or is_refused(sheet, column, cell):
            is_right = value is None or [index, column] in case.get("doubt_ok", ())
        elif value is None:  # A note may say which value is right too.
            is_right = number in said or cell in case.get("note", "").split("(")[-1]
        else:
            is_right = bool(
                re.search(value[3:], cell) if value.startswith("re:") else value == cell
            )
        if not is_right:
            yield f"row {index}, {column}: {cell!r}, not {value}"


def faults_of_links(case: Case, country: str = "be") -> Iterator[str]:
    """Yield what is wrong with the numbers that a text's links dial."""
    targets = _DIALLED.findall(html_of(case["text"], Numbers(country)))
    said = [f"0{phones.parted(each, country)[1]}" for each in targets]
    if said != case["links"]:
        yield f"dials {said}, not {case['links']}"


def faults_of_chat(case: Case) -> Iterator[str]:
    """Yield what is wrong with the last answer of a conversation with the served hospital."""
    history: tuple[Exchange, ...] = ()
    for question in case["turns"]:
        context = take_turn(Turn(question, case["language"], history=history)).context
        urls = tuple(each.url for each in context.citations)
        history += (Exchange(question, context.answer, urls),)
    if context.behaviour not in case["behaviours"]:
        yield f"{context.behaviour}, not {case['behaviours']}"
    yield from _unlike(case, context.answer)


def lines_of(file: Path) -> list[Case]:
    """Return the cases of a file; none where it is not there."""
    return [*map(json.loads, file.read_text().splitlines())] if file.is_file() else []


def faults_of_file(folder: Path, case: Case) -> list[str]:
    """Return what is wrong with what a reader makes of a file."""
    faults_of = faults_of_sheet if case["media"] == "table" else faults_of_text
    try:
        return [*faults_of(case, (folder / case["file"]).read_bytes())]
    except Exception as error:  # noqa: BLE001  (whatever ends a reader is a miss)
        return [repr(error)[:200]]
