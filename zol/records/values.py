"""Validation of values, shared by forms, imports, packs and proposals.

A check raises `WrongValue` with a sentence for the user. Addresses, e-mail, length and choices are
checked by Django's fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

import phonenumbers
from rapidfuzz import fuzz, process
from stdnum import verhoeff

from zol import phones
from zol.text import fold
from zol.text import marked as _

#: An identifier of SNOMED CT; it never begins with 0.
_SCTID = re.compile(r"[1-9][0-9]{5,17}")
#: Partition identifiers of concepts, which precede the check digit.
_CONCEPT = ("00", "10")
#: A language tag: nl, nds, pt-BR, zh-Hant.
_SPOKEN = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4})?")
_BETWEEN_CODES = re.compile(r"[|,;/\s]+")
#: Maximum number of digits of an extension after a telephone number.
_EXTENSION = 5
#: Maximum latitude and longitude in degrees.
LATITUDE, LONGITUDE = 90, 180
#: Separator of the values in a cell.
BETWEEN = "|"
_DAY_FIRST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
#: Minimum similarity, of 100, of a word and the one that may be meant.
_ALIKE = 65


class WrongValue(ValueError):
    """An invalid value: `sentence` has a placeholder for the invalid `part`."""

    def __init__(self, sentence: str, part: str, **more: str) -> None:
        self.sentence, self.part, self.params = sentence, part, {"part": part, **more}
        super().__init__(sentence % self.params)


class WrongCheckDigit(WrongValue):
    """An identifier with a wrong check digit, as after a typing error."""


def check_concept(code: str) -> None:
    """Refuse a code that is no identifier of a SNOMED CT concept."""
    if not _SCTID.fullmatch(code):
        raise WrongValue(
            _(
                "“%(part)s” is not a SNOMED CT concept, which has 6 to 18 digits. If a "
                "spreadsheet turned it into a number, give the column the format “text” "
                "and enter the code again."
            ),
            code,
        )
    if not verhoeff.is_valid(code):
        raise WrongCheckDigit(
            _(
                "“%(part)s” is not a SNOMED CT concept: its last digit does not fit the "
                "others. Check the code."
            ),
            code,
        )
    if code[-3:-1] not in _CONCEPT:
        raise WrongValue(
            _(
                "“%(part)s” is not a SNOMED CT concept but another kind of code, such as "
                "that of a description."
            ),
            code,
        )


@lru_cache(maxsize=4_096)
def check_phone(text: str, country: str) -> None:
    """Refuse a telephone number that cannot be dialled in a country, such as one without its 0.

    The text may hold several numbers, extensions and words: "089 00 51 04 (toestel 12)".
    """
    found = phones.find(text, country)
    left = re.findall(r"\d+", phones.without(text, found))
    is_wrong = [each for each in left if not (found and len(each) <= _EXTENSION)]
    if not (found or left) or any(not phones.is_short(each, country) for each in is_wrong):
        raise WrongValue(
            _(
                "“%(part)s” is not a complete telephone number: write all digits, starting "
                "with 0, or with + and the country."
            ),
            text,
        )


def check_country(code: str) -> None:
    if code.upper() not in phonenumbers.SUPPORTED_REGIONS:
        raise WrongValue(_("“%(part)s” is not the code of a country, such as be or nl."), code)


def codes_in(text: str) -> list[str]:
    """Return the codes of a cell, separated by any of several signs or blanks."""
    return [code for code in _BETWEEN_CODES.split(text) if code]


def check_spoken(codes: Iterable[str]) -> None:
    """Refuse texts that are no language tags; any language of the world is valid."""
    for code in codes:
        if not _SPOKEN.fullmatch(code):
            raise WrongValue(_("“%(part)s” is not the code of a language, such as nl."), code)


def read_number(text: str) -> Decimal:
    """Return a number, with a point or a comma before its decimals."""
    try:
        value = Decimal(text.replace(",", "."))
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite():
        raise WrongValue(_("“%(part)s” is not a number: write digits only."), text)
    return value


def check_degrees(value: Decimal, limit: int) -> None:
    """Refuse a latitude or longitude beyond its limit."""
    if abs(value) > limit:
        raise WrongValue(_("“%(part)s” is too large for a latitude or longitude."), str(value))


def read_date(text: str) -> date:
    """Return a date in the form 2026-05-31 or 31/05/2026."""
    try:
        if match := _DAY_FIRST.fullmatch(text):
            day, month, year = map(int, match.groups())
            return date(year, month, day)
        return datetime.fromisoformat(text).date()
    except ValueError:
        raise WrongValue(_("“%(part)s” is not a date: write it like 2026-05-31."), text) from None


def cell_of(value: Any) -> str:
    """Return a value as the text of a table cell."""
    match value:
        case None:
            return ""
        case Decimal():
            return f"{value.normalize():f}"
        case list() | tuple():
            return BETWEEN.join(map(str, value))
        case _:
            return str(value)


def nearest(word: str, known: Iterable[tuple[str, str]]) -> str:
    """Return the value with the name most similar to a word, or an empty text."""
    names = [(fold(str(name)), value) for name, value in known]
    best = process.extractOne(
        fold(word), [name for name, _value in names], scorer=fuzz.ratio, score_cutoff=_ALIKE
    )
    return names[best[2]][1] if best else ""
