"""Measure what readers make of files: pages, PDFs, Word, Markdown and spreadsheets.

    .venv/bin/python -m lab.files.measure FOLDER [--kind PREFIX] [--quiet]

The folder holds `cases.jsonl`; a case says what its file has to give. Texts must hold patterns and
must not hold others. A spreadsheet has to give cells: a text, a pattern after "re:", or null for
what has to be refused; `doubt_ok` are cells that may be refused as well. Nothing needs a database:
cells are checked as the import does, but for what only the rows of a hospital can tell.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import django

# ruff: noqa: E402  (models are there once Django is)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
django.setup()

from django.apps import apps
from django.core.exceptions import ValidationError

from retrieval.reading.blocks import Block, Sort
from retrieval.reading.process import reader
from taxonomy.packs.cells import WrongCell
from taxonomy.packs.imports import sheet_of
from taxonomy.packs.spreadsheets import Spreadsheet
from zol.models import Hospital
from zol.records.refusals import refusals
from zol.tables.lines import Weight
from zol.tables.table import read_table

Case = dict[str, Any]
#: What stands before a row of column names, to tell it from other rows.
NAMES = "|\u2502 \u2009\x1f"


def text_of(blocks: Sequence[Block]) -> str:
    """Return a document as it would be shown: names of columns once, marks before items."""
    lines, last = [], ""
    for block in blocks:
        lines += [f"| {block.header.lstrip(NAMES)}"] if block.header not in ("", last) else []
        lines.append(block.mark + block.text)
        last = block.header
    return "\n".join(lines)


def faults_of_text(case: Case, data: bytes) -> Iterator[str]:
    blocks = reader.read(data, case["media"])
    text = text_of(blocks)
    yield from (f"lacks {each}" for each in case["must"] if not re.search(each, text))
    yield from (f"has {each}" for each in case["must_not"] if re.search(each, text))
    headings = [block.text for block in blocks if block.sort is Sort.HEADING]
    for each in case.get("headings", ()):
        if not any(each in heading for heading in headings):
            yield f"no heading: {each}"


def is_refused(sheet: Spreadsheet, column: str, cell: str) -> bool:
    """Say whether a cell could not be kept, as far as it can be told without other rows."""
    if column not in sheet.columns:
        return False
    row = sheet.model(hospital=Hospital(country="be"))
    others = {field.name for field in row._meta.fields if field.name != column}
    try:
        sheet.fill(row, {column: cell})
        row.clean_fields(exclude=others)
    except (WrongCell, ValidationError):
        return True
    return column in dict(refusals(row, row.checks()))


def faults_of_sheet(case: Case, data: bytes) -> Iterator[str]:
    sheet = sheet_of(apps.get_model("taxonomy", case["model"]))
    table = read_table(data, case["file"])
    # Whether a date is out of place is known of columns that the product has.
    is_weighed = {Weight.DATE: set(sheet.columns) - sheet.dates, Weight.SAID: set()}
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
        else:
            is_right = value is not None and bool(
                re.search(value[3:], cell) if value.startswith("re:") else value == cell
            )
        if not is_right:
            yield f"row {index}, {column}: {cell!r}, not {value}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kind", default="", help="only kinds that begin so")
    parser.add_argument("--quiet", action="store_true", help="figures only")
    asked = parser.parse_args()
    right: dict[str, list[bool]] = defaultdict(list)
    cases = map(json.loads, (asked.folder / "cases.jsonl").read_text().splitlines())
    for case in (each for each in cases if each["kind"].startswith(asked.kind)):
        faults_of = faults_of_sheet if case["media"] == "table" else faults_of_text
        try:
            faults = [*faults_of(case, (asked.folder / case["file"]).read_bytes())]
        except Exception as error:  # noqa: BLE001  (whatever ends a reader is a miss)
            faults = [repr(error)[:200]]
        right[case["kind"]].append(not faults)
        if faults and not asked.quiet:
            print(case["id"], case["file"], *faults, sep="\n    ")
    for kind, each in right.items():
        print(f"{kind:16} {sum(each)} of {len(each)}")
    print("all", sum(map(sum, right.values())), "of", sum(map(len, right.values())))


if __name__ == "__main__":
    main()
