"""Validation of values, shared by forms, imports, packs and proposals.

A check says nothing of a good value and refuses any other in a sentence for whoever wrote it. What
Django's own fields check (addresses, e-mail, length, choices) is left to them.
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

#: Of an identifier of SNOMED CT. It never begins with 0: as a number it would lose that digit.
_SCTID = re.compile(r"[1-9][0-9]{5,17}")
#: The digits before the check digit of what names a concept, and no description or relationship.
_CONCEPT = ("00", "10")
#: A language as it is written on a page of the web: nl, nds, pt-BR, zh-Hant.
_SPOKEN = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4})?")
_BETWEEN_CODES = re.compile(r"[|,;/\s]+")
#: Digits of what follows a telephone number: an extension, or the end of the next number.
_EXTENSION = 5
#: Degrees from the equator and from Greenwich at most.
LATITUDE, LONGITUDE = 90, 180
#: Between the values of one cell.
BETWEEN = "|"
_DAY_FIRST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
#: How alike two words are, in hundredths, of which one may be meant for the other.
_ALIKE = 65


class WrongValue(ValueError):
    """An invalid value: `sentence` has a placeholder for the invalid `part`."""

    def __init__(self, sentence: str, part: str, **more: str) -> None:
        self.sentence, self.part, self.said = sentence, part, {"part": part, **more}
        super().__init__(sentence % self.said)


class WrongCheckDigit(WrongValue):
    """An identifier that was mistyped: it has the form of one, and names nothing."""


def check_concept(code: str) -> None:
    """Refuse what is no identifier of a SNOMED CT concept."""
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
    """Refuse a telephone number that nobody in a country could dial, such as one without its 0.

    More than one may stand there, with an extension and words: "089 00 51 04 (toestel 12)".
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
    """Return the codes of a cell, whichever mark or blank stands between them."""
    return [code for code in _BETWEEN_CODES.split(text) if code]


def check_spoken(codes: Iterable[str]) -> None:
    """Refuse languages that are not given by their codes; they may be any of the world's."""
    for code in codes:
        if not _SPOKEN.fullmatch(code):
            raise WrongValue(_("“%(part)s” is not the code of a language, such as nl."), code)


def read_number(text: str) -> Decimal:
    """Return a number; a spreadsheet may write a comma before its decimals."""
    try:
        value = Decimal(text.replace(",", "."))
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite():
        raise WrongValue(_("“%(part)s” is not a number: write digits only."), text)
    return value


def check_degrees(value: Decimal, limit: int) -> None:
    """Refuse a latitude or longitude of no place on earth."""
    if abs(value) > limit:
        raise WrongValue(_("“%(part)s” is too large for a latitude or longitude."), str(value))


def read_date(text: str) -> date:
    """Return a date such as 2026-05-31, or as spreadsheets here write it, 31/05/2026."""
    try:
        if match := _DAY_FIRST.fullmatch(text):
            day, month, year = map(int, match.groups())
            return date(year, month, day)
        return datetime.fromisoformat(text).date()
    except ValueError:
        raise WrongValue(_("“%(part)s” is not a date: write it like 2026-05-31."), text) from None


def cell_of(value: Any) -> str:
    """Return a value as a table writes it."""
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
    """Return what is probably meant by a word, or nothing: each known value has its names."""
    names = [(fold(str(name)), value) for name, value in known]
    best = process.extractOne(
        fold(word), [name for name, _value in names], scorer=fuzz.ratio, score_cutoff=_ALIKE
    )
    return names[best[2]][1] if best else ""
