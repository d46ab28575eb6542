"""Tables of a pack: CSV files as rows that know where each cell stands, and what a cell means."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar, cast

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email
from django.utils.translation import override

from evaluation.packs.findings import Findings, Place
from taxonomy.facts.schedules import check_hours, parse, written
from taxonomy.tables.lines import UnreadableLine, lines_of
from zol import values
from zol.languages import LANGUAGES
from zol.values import (
    WrongCheckDigit,
    WrongValue,
    check_concept,
    check_degrees,
    check_phone,
    check_spoken,
    nearest,
)

#: How a woman is written in the gender column; the first is written by an export.
WOMAN = ("v", "f")
KEY = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
#: As a browser names it: no scheme, no port; how letters are written makes no difference.
HOST = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])")
CODES = frozenset(LANGUAGES)
PREFIX = re.compile(r"([a-z]{2}):(.+)", re.DOTALL)


class UnreadableCell(WrongValue):
    """A cell that cannot mean anything; the words say why."""

    def __init__(self, sentence: str) -> None:
        super().__init__("%(part)s", sentence)


def parts(cell: str) -> tuple[str, ...]:
    """Return the values of a multi-valued cell."""
    return tuple(part.strip() for part in cell.split(values.BETWEEN)) if cell else ()


def matching(pattern: re.Pattern[str], meant: str) -> Callable[[str], str]:
    def read(cell: str) -> str:
        if not pattern.fullmatch(cell):
            raise UnreadableCell(f"“{cell}” is not {meant}")
        return cell

    return read


read_key = matching(KEY, "a key: lower-case letters, digits and hyphens")


def checked(check: Callable[[str], object]) -> Callable[[str], str]:
    """Return what gives a cell back if a check of forms and imports has nothing against it."""

    def read(cell: str) -> str:
        try:
            check(cell)
        except ValidationError as error:
            with override("en"):
                raise UnreadableCell(f"“{cell}”: {' '.join(error.messages)}".rstrip(".")) from error
        return cell

    return read


read_url = checked(URLValidator(schemes=("http", "https")))
read_email = checked(validate_email)
read_snomed = checked(check_concept)
read_hours = checked(check_hours)


def read_phone(country: str) -> Callable[[str], str]:
    return checked(partial(check_phone, country=country))


def read_degrees(limit: int) -> Callable[[str], Decimal]:
    def read(cell: str) -> Decimal:
        value = values.read_number(cell)
        check_degrees(value, limit)
        return value.quantize(Decimal("0.000001"))

    return read


def read_number(low: float, high: float) -> Callable[[str], float]:
    def read(cell: str) -> float:
        try:
            value = float(cell)
        except ValueError:
            raise UnreadableCell(f"“{cell}” is not a number") from None
        if not low <= value <= high:
            raise UnreadableCell(f"“{cell}” does not lie between {low} and {high}")
        return value

    return read


def read_tier(cell: str) -> int:
    if cell not in ("1", "2", "3"):
        raise UnreadableCell(f"“{cell}” is not a tier: 1, 2 or 3")
    return int(cell)


def one_of(values: frozenset[str], meant: str) -> Callable[[str], str]:
    def read(cell: str) -> str:
        if cell not in values:
            raise UnreadableCell(f"“{cell}” is not a {meant}: {', '.join(sorted(values))}")
        return cell

    return read


read_language = one_of(CODES, "language")


def read_gender(cell: str) -> str:
    if cell in WOMAN:
        return "f"
    return one_of(frozenset({"m", "x", *WOMAN}), "gender")(cell)


def read_languages(cell: str) -> list[str]:
    """Return languages spoken; any of the world's, not only those of the site."""
    codes = values.codes_in(cell)
    check_spoken(codes)
    return codes


def read_alias(part: str) -> tuple[str, str]:
    """Return language and text of `en:cardiology`; without prefix it is Dutch."""
    match = PREFIX.fullmatch(part)
    language, text = match.groups() if match else ("nl", part)
    if language not in CODES:
        raise UnreadableCell(
            f"“{language}” of “{part}” is not a language: {', '.join(sorted(CODES))}"
        )
    if not text.strip():
        raise UnreadableCell(f"“{part}” has no text")
    return language, " ".join(text.split())


def read_schedule(cell: str) -> str:
    """Return a schedule in the form of the packs, however it is written."""
    return written(parse(cell))


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


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a table."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue().encode()


@dataclass(frozen=True, slots=True)
class PackRow:
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
) -> Iterator[PackRow]:
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
                yield PackRow(file, line, row, numbers, findings)
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
