"""One cell of a table: its parts and its value, or the mistake in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from evaluation.packs.form import WOMAN
from taxonomy.schedules import UnreadableSchedule, check_hours, parse, written
from zol.languages import LANGUAGES

T = TypeVar("T")
KEY = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
URL = re.compile(r"https?://[^\s/]+\S*")
EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
#: As a browser names it: no scheme, no port; how letters are written makes no difference.
HOST = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])")
SNOMED = re.compile(r"[0-9]{6,18}")
CODES = frozenset(str(language) for language in LANGUAGES)
PREFIX = re.compile(r"([a-z]{2}):(.+)", re.DOTALL)


class WrongCell(ValueError):
    """A cell that cannot mean anything; the words say why."""


def parts(cell: str) -> tuple[str, ...]:
    """Return the values of a multi-valued cell."""
    return tuple(part.strip() for part in cell.split("|")) if cell else ()


def matching(pattern: re.Pattern[str], meant: str) -> Callable[[str], str]:
    def read(cell: str) -> str:
        if not pattern.fullmatch(cell):
            raise WrongCell(f"“{cell}” is not {meant}")
        return cell

    return read


read_key = matching(KEY, "a key: lower-case letters, digits and hyphens")
read_url = matching(URL, "an address that starts with http:// or https://")
read_email = matching(EMAIL, "an e-mail address")
read_snomed = matching(SNOMED, "a SNOMED CT concept: 6 to 18 digits")


def read_date(cell: str) -> date:
    try:
        return date.fromisoformat(cell)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(cell).date()
    except ValueError:
        raise WrongCell(f"“{cell}” is not a date such as 2026-05-31") from None


def read_degrees(limit: int) -> Callable[[str], Decimal]:
    def read(cell: str) -> Decimal:
        try:
            value = Decimal(cell)
        except InvalidOperation:
            raise WrongCell(f"“{cell}” is not a number") from None
        if not value.is_finite() or abs(value) > limit:
            raise WrongCell(f"“{cell}” does not lie between -{limit} and {limit}")
        return value.quantize(Decimal("0.000001"))

    return read


def read_number(low: float, high: float) -> Callable[[str], float]:
    def read(cell: str) -> float:
        try:
            value = float(cell)
        except ValueError:
            raise WrongCell(f"“{cell}” is not a number") from None
        if not low <= value <= high:
            raise WrongCell(f"“{cell}” does not lie between {low} and {high}")
        return value

    return read


def read_tier(cell: str) -> int:
    if cell not in ("1", "2", "3"):
        raise WrongCell(f"“{cell}” is not a tier: 1, 2 or 3")
    return int(cell)


def one_of(values: frozenset[str], meant: str) -> Callable[[str], str]:
    def read(cell: str) -> str:
        if cell not in values:
            raise WrongCell(f"“{cell}” is not a {meant}: {', '.join(sorted(values))}")
        return cell

    return read


read_language = one_of(CODES, "language")


def read_gender(cell: str) -> str:
    if cell in WOMAN:
        return "f"
    return one_of(frozenset({"m", "x", *WOMAN}), "gender")(cell)


def read_languages(cell: str) -> list[str]:
    """Return languages spoken; any of the world's, not only those of the site."""
    codes = parts(cell)
    for code in codes:
        if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z]{2,4})?", code):
            raise WrongCell(f"“{code}” is not a language code such as nl")
    return list(codes)


def read_alias(part: str) -> tuple[str, str]:
    """Return language and text of `en:cardiology`; without prefix it is Dutch."""
    match = PREFIX.fullmatch(part)
    language, text = match.groups() if match else ("nl", part)
    if language not in CODES:
        raise WrongCell(f"“{language}” of “{part}” is not a language: {', '.join(sorted(CODES))}")
    if not text.strip():
        raise WrongCell(f"“{part}” has no text")
    return language, " ".join(text.split())


def read_schedule(cell: str) -> str:
    """Return a schedule in the form of the packs, however it is written."""
    try:
        return written(parse(cell))
    except UnreadableSchedule as error:
        raise WrongCell(str(error).rstrip(".")) from error


def read_hours(cell: str) -> str:
    try:
        check_hours(cell)
    except UnreadableSchedule as error:
        raise WrongCell(str(error).rstrip(".")) from error
    return cell
