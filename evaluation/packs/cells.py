"""One cell of a table: its parts and its value, or the mistake in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email
from django.utils.translation import override

from taxonomy.facts.schedules import check_hours, parse, written
from zol import values
from zol.languages import LANGUAGES
from zol.values import WrongValue, check_concept, check_degrees, check_phone, check_spoken

#: How a woman is written in the gender column; the first is written by an export.
WOMAN = ("v", "f")
KEY = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
#: As a browser names it: no scheme, no port; how letters are written makes no difference.
HOST = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])")
CODES = frozenset(str(language) for language in LANGUAGES)
PREFIX = re.compile(r"([a-z]{2}):(.+)", re.DOTALL)


class WrongCell(WrongValue):
    """A cell that cannot mean anything; the words say why."""

    def __init__(self, sentence: str) -> None:
        super().__init__("%(part)s", sentence)


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


def checked(check: Callable[[str], object]) -> Callable[[str], str]:
    """Return what gives a cell back if a check of forms and imports has nothing against it."""

    def read(cell: str) -> str:
        try:
            check(cell)
        except ValidationError as error:
            with override("en"):
                raise WrongCell(f"“{cell}”: {' '.join(error.messages)}".rstrip(".")) from error
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
    codes = values.codes_in(cell)
    check_spoken(codes)
    return codes


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
    return written(parse(cell))
