"""Parsing of the cells of CSV files, with the position of every mistake."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from taxonomy.models.entities import ScheduleField
from taxonomy.packs.findings import CellPlace, Findings
from zol.languages import LANGUAGES
from zol.records.refusals import Checks, refused
from zol.records.values import (
    BETWEEN,
    WrongCheckDigit,
    WrongValue,
    codes_in,
    nearest,
    read_date,
    read_number,
)
from zol.tables.lines import UnreadableLine, lines_of

KEY = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
#: The column that identifies a row for references.
KEY_COLUMN = "key"
CODES = frozenset(LANGUAGES)
PREFIX = re.compile(r"([a-z]{2}):(.+)", re.DOTALL)


class WrongCell(WrongValue):
    """An invalid cell, with its column and the reason."""

    def __init__(self, sentence: str, column: str = "") -> None:
        super().__init__("%(part)s", sentence)
        self.column = column


def parts(cell: str) -> tuple[str, ...]:
    """Return the values of a multi-valued cell."""
    return tuple(part.strip() for part in cell.split(BETWEEN)) if cell else ()


def value_of(field: Any, cell: str, language: str = "nl") -> Any:
    """Parse a cell to the value of a field, without running its validators.

    An empty cell is the field's default; `language` is the hospital's.
    """
    if isinstance(field, ArrayField):
        return codes_in(cell)
    if not cell:
        return field.get_default()
    try:
        if isinstance(field, models.DateField):
            return read_date(cell)
        if isinstance(field, models.DecimalField):
            return read_number(cell)
        _check_choice(field, cell)
        if isinstance(field, ScheduleField):
            return field.read(cell, language)
        return field.to_python(cell)
    except (WrongValue, ValidationError) as error:
        raise WrongCell(_sentence(error), field.name) from error


def reader(field: Any, checks: Checks = (), language: str = "nl") -> Callable[[str], Any]:
    """Return a parser that refuses the same cells as a form; `checks` are those of a row."""

    def read(cell: str) -> Any:
        value = value_of(field, cell, language)
        for name, check in checks:
            if name == field.name:
                check(value)
        if isinstance(field, models.DecimalField):
            value = round(value, field.decimal_places)
        try:
            field.run_validators(value)
        except ValidationError as error:
            raise WrongCell(_sentence(error)) from error
        return value

    return read


def within(low: float, high: float, kind: type[Any] = float) -> Callable[[str], Any]:
    """Return a parser for numbers within bounds."""

    def read(cell: str) -> Any:
        try:
            value = kind(cell)
        except ValueError:
            raise WrongCell(f"“{cell}” is not a number") from None
        if not low <= value <= high:
            raise WrongCell(f"“{cell}” does not lie between {low} and {high}")
        return value

    return read


def one_of(known: Iterable[object]) -> Callable[[str], str]:
    """Return a parser for one of some words."""
    words = sorted(map(str, known))

    def read(cell: str) -> str:
        if cell not in words:
            text = _("“%(cell)s” is not possible: choose from %(known)s.")
            raise WrongCell(text % {"cell": cell, "known": ", ".join(words)})
        return cell

    return read


def read_key(cell: str) -> str:
    if not KEY.fullmatch(cell):
        raise WrongCell(f"“{cell}” is not a key: lower-case letters, digits and hyphens")
    return cell


def read_alias(part: str, own: str) -> tuple[str, str]:
    """Return language and text of `en:cardiology`; without prefix the language is `own`."""
    match = PREFIX.fullmatch(part)
    language, text = match.groups() if match else (own, part)
    if language not in CODES:
        known = ", ".join(sorted(CODES))
        raise WrongCell(f"“{language}” of “{part}” is not a language: {known}")
    if not text.strip():
        raise WrongCell(f"“{part}” has no text")
    return language, " ".join(text.split())


def meant_by(word: str) -> str:
    """Return a "Did you mean" question for a word; empty without one."""
    return _("Did you mean “%s”?") % word if word else ""


def _check_choice(field: Any, cell: str) -> None:
    """Refuse a cell that is none of a field's choices, and list these."""
    known = {str(value): str(label) for value, label in field.flatchoices}
    if known and cell not in known:
        words = [(word, value) for value, label in known.items() for word in (value, label)]
        text = _("“%(cell)s” is not possible: choose from %(known)s.") % {
            "cell": cell,
            "known": ", ".join(known),
        }
        raise WrongCell(f"{text} {meant_by(nearest(cell, words))}".strip(), field.name)


def _sentence(error: WrongValue | ValidationError) -> str:
    """Return the message of an error in the active language."""
    return " ".join((refused(error) if isinstance(error, WrongValue) else error).messages)


T = TypeVar("T")


def decode(data: bytes, file: str, findings: Findings) -> str | None:
    """Decode a file as UTF-8; note a mistake and return None if that fails."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        place = CellPlace(file, before.count(b"\n") + 1, column)
        findings.unreadable(place, "The file is not UTF-8: save it as “CSV UTF-8”.")
        return None


def numbered(data: bytes, file: str, findings: Findings) -> Iterator[tuple[CellPlace, str]]:
    """Yield the non-empty lines of a file with their positions."""
    for number, line in enumerate((decode(data, file, findings) or "").split("\n"), start=1):
        if line.strip():
            yield CellPlace(file, number, 1), line


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Format a table as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue().encode()


@dataclass(frozen=True, slots=True)
class PackRow:
    """A row of a table, whose methods note mistakes and return a default for invalid cells."""

    file: str
    line: int
    cells: dict[str, str]
    numbers: dict[str, int]
    findings: Findings

    def place(self, column: str) -> CellPlace:
        return CellPlace(self.file, self.line, self.numbers.get(column, 1) if self.file else column)

    def wrong(self, column: str, sentence: str) -> None:
        """Note a mistake; in a pack its sentence begins with the column."""
        ended = sentence if sentence.endswith(("?", ".")) else f"{sentence}."
        text = f"{column}: {ended}" if self.file else sentence
        note = self.findings.unreadable if column == KEY_COLUMN else self.findings.wrong
        note(self.place(column), text)

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
        except WrongCheckDigit as error:  # Packs from before this check must load.
            self.findings.warn(self.place(column), f"{column}: {error}")
            return cast("T", cell)
        except WrongValue as error:
            self.wrong(column, " ".join(refused(error).messages))
            return default


def read_table(
    data: bytes, file: str, columns: Sequence[str], optional: Sequence[str], findings: Findings
) -> Iterator[PackRow]:
    """Yield the rows of a table with a valid header."""
    text = decode(data, file, findings)
    if text is None:
        return
    if not text.strip():
        findings.warn(CellPlace(file, 1, 1), "The file is empty: it says that there is nothing.")
        return
    lines = lines_of(text, columns)
    try:
        header = next(lines).cells
        if not _is_usable(header, file, columns, optional, findings):
            return
        numbers = {name: number for number, name in enumerate(header, start=1)}
        for _number, line, cells in lines:
            if cells and len(cells) != len(header):
                findings.unreadable(
                    CellPlace(file, line, min(len(cells), len(header)) + 1),
                    f"The line has {len(cells)} cells, the header {len(header)}.",
                )
            elif cells:
                row = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
                yield PackRow(file, line, row, numbers, findings)
    except UnreadableLine as error:
        findings.unreadable(CellPlace(file, error.line, 1), f"The line cannot be read: {error}.")


def _is_usable(
    header: list[str],
    file: str,
    columns: Sequence[str],
    optional: Sequence[str],
    findings: Findings,
) -> bool:
    before = len(findings.mistakes)
    for number, name in enumerate(header, start=1):
        place = CellPlace(file, 1, number)
        if name in header[: number - 1]:
            findings.unreadable(place, f"The column {name} stands in the header twice.")
        elif name not in columns and name not in optional:
            meant = nearest(name, [(each, each) for each in (*columns, *optional)])
            hint = f" Did you mean {meant}?" if meant and meant not in header else ""
            findings.warn(place, f"The column {name} is unknown and not read.{hint}")
    if lacking := [name for name in columns if name not in header]:
        some = "column" if len(lacking) == 1 else "columns"
        sentence = f"The header lacks the {some} {', '.join(lacking)}."
        findings.unreadable(CellPlace(file, 1, len(header) + 1), sentence)
    return len(findings.mistakes) == before
