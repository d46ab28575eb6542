"""Words between the values, in every language, and what Babel knows of numbers and days."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from babel.dates import format_date, get_day_names
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal
from babel.units import format_unit

from zol.text import fold

PHRASES = Path(__file__).parent.parent / "defaults" / "fact_phrases.csv"
#: A space that does not break a line, as Babel writes it between a number and its unit.
_UNBROKEN = str.maketrans({"\u00a0": " ", "\u202f": " "})
#: CLDR's English is American; dates and times are told as in Europe.
_LOCALES = {"en": "en_GB"}
#: Read where a text is not there in the asker's language.
FALLBACK = "en"
UNITS = ("minute", "hour", "day", "week", "month", "year")


@cache
def _phrases() -> Mapping[str, Mapping[str, str]]:
    with PHRASES.open(encoding="utf-8", newline="") as file:
        return {row.pop("key"): row for row in csv.DictReader(file)}


#: The languages that the phrases are in, as codes.
CODES = tuple(_phrases()["closed"])


def phrase(key: str, language: str, **values: object) -> str:
    """Return a phrase in a language, filled in."""
    known = _phrases()[key]
    return (known.get(language) or known[FALLBACK]).format(**values)


@cache
def words_for(key: str) -> tuple[str, ...]:
    """Return a phrase in every language, as somebody may write it in any of them."""
    return tuple(map(fold, _phrases()[key].values()))


def _locale(language: str) -> str:
    return _LOCALES.get(language, language)


def day_name(day: int, language: str) -> str:
    """Return the name of a day, counted from 1 for Monday, as it stands within a sentence."""
    return str(get_day_names("wide", locale=_locale(language))[day - 1])


def date_said(day: date, language: str) -> str:
    return format_date(day, "long", locale=_locale(language))


def listed(items: list[str], language: str) -> str:
    """Return items as people write them: "a, b en c"."""
    return format_list(items, locale=_locale(language))


def money(amount: Decimal, currency: str, language: str) -> str:
    return format_currency(amount, currency, locale=_locale(language)).translate(_UNBROKEN)


@cache
def measured(amount: Decimal, unit: str, language: str) -> str:
    """Return an amount of time: "20 minuten". CLDR leaves to the short form what is alike in it."""
    for length in ("long", "short"):
        said = format_unit(amount, f"duration-{unit}", length, locale=_locale(language))
        if "duration" not in said:
            return said.translate(_UNBROKEN)
    raise LookupError(unit)


def number(amount: Decimal, language: str) -> str:
    return format_decimal(amount, locale=_locale(language))


@cache
def units_by_word() -> Mapping[str, str]:
    """Return units of time by every word for them, in every language."""
    found = {}
    for unit in UNITS:
        for language in CODES:
            for amount in map(Decimal, (1, 2, 5, 30)):
                said = measured(amount, unit, language)
                found[fold(said.replace(number(amount, language), "").strip())] = unit
        found[unit] = unit
    return found
