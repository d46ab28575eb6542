"""A CSV file of a pack as rows that know where each of their cells stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from evaluation.packs.mistakes import Findings, Place
from taxonomy.tables.lines import UnreadableLine, lines_of
from zol.values import WrongCheckDigit, WrongValue, nearest

T = TypeVar("T")


def decode(data: bytes, file: str, findings: Findings) -> str | None:
    """Return the text of a file, which must be UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        place = Place(file, before.count(b"\n") + 1, column)
        findings.wrong(place, f"The file is not UTF-8: byte 0x{data[error.start]:02x}.")
        return None


def numbered(data: bytes, file: str, findings: Findings) -> Iterator[tuple[Place, str]]:
    """Give the lines of a file of one JSON object a line, each with where it stands."""
    for number, line in enumerate((decode(data, file, findings) or "").split("\n"), start=1):
        if line.strip():
            yield Place(file, number, 1), line


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return a file of one object a line."""
    lines = (json.dumps(row, ensure_ascii=False, default=str) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. Reading a cell that is wrong notes the mistake and gives the default."""

    file: str
    line: int
    cells: dict[str, str]
    numbers: dict[str, int]
    findings: Findings

    def place(self, column: str) -> Place:
        return Place(self.file, self.line, self.numbers.get(column, 1))

    def wrong(self, column: str, sentence: str) -> None:
        self.findings.wrong(self.place(column), f"{column}: {sentence}.")

    def text(self, column: str, *, limit: int = 200) -> str:
        cell = self.cells.get(column, "")
        if len(cell) > limit:
            self.wrong(column, f"{len(cell)} characters, of which at most {limit} are kept")
        if any(ord(letter) < 32 and letter not in "\t\n" for letter in cell):
            self.wrong(column, "the cell holds a control character")
        return cell

    def needed(self, column: str, *, limit: int = 200) -> str:
        cell = self.text(column, limit=limit)
        if not cell:
            self.wrong(column, "the cell is empty")
        return cell

    def value(self, column: str, read: Callable[[str], T], default: T, *, limit: int = 1000) -> T:
        cell = self.text(column, limit=limit)
        if not cell:
            return default
        try:
            return read(cell)
        except WrongCheckDigit as error:  # A pack that was loaded before loads again.
            self.findings.warn(self.place(column), f"{column}: {error}")
            return cast("T", cell)
        except WrongValue as error:
            self.wrong(column, str(error).rstrip("."))
            return default


def read_table(
    data: bytes, file: str, columns: Sequence[str], optional: Sequence[str], findings: Findings
) -> Iterator[Row]:
    """Give the rows of a table that has the right header."""
    text = decode(data, file, findings)
    if text is None:
        return
    if not text.strip():
        findings.warn(Place(file, 1, 1), "The file is empty: it says that there is nothing.")
        return
    lines = lines_of(text, columns)
    try:
        header = next(lines).cells
        if not _is_usable(header, file, columns, optional, findings):
            return
        numbers = {name: number for number, name in enumerate(header, start=1)}
        for _number, line, cells in lines:
            if cells and len(cells) != len(header):
                findings.wrong(
                    Place(file, line, min(len(cells), len(header)) + 1),
                    f"The line has {len(cells)} cells, the header {len(header)}.",
                )
            elif cells:
                row = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
                yield Row(file, line, row, numbers, findings)
    except UnreadableLine as error:
        findings.wrong(Place(file, error.line, 1), f"The line cannot be read: {error}.")


def _is_usable(
    header: list[str],
    file: str,
    columns: Sequence[str],
    optional: Sequence[str],
    findings: Findings,
) -> bool:
    before = len(findings.mistakes)
    for number, name in enumerate(header, start=1):
        place = Place(file, 1, number)
        if name in header[: number - 1]:
            findings.wrong(place, f"The column {name} stands in the header twice.")
        elif name not in columns and name not in optional:
            meant = nearest(name, [(each, each) for each in (*columns, *optional)])
            hint = f" Did you mean {meant}?" if meant and meant not in header else ""
            findings.warn(place, f"The column {name} is unknown and not read.{hint}")
    if lacking := [name for name in columns if name not in header]:
        some = "column" if len(lacking) == 1 else "columns"
        sentence = f"The header lacks the {some} {', '.join(lacking)}."
        findings.wrong(Place(file, 1, len(header) + 1), sentence)
    return len(findings.mistakes) == before
