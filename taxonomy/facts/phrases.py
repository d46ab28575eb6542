"""Words between the values, in every language, and what Babel knows of numbers and days."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from babel.dates import format_date, get_day_names
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal
from babel.units import format_unit

from taxonomy.dates.words import two_letters
from zol.text import fold

DEFAULTS = Path(__file__).parent.parent / "defaults"
PHRASES, WORDS = DEFAULTS / "fact_phrases.csv", DEFAULTS / "schedule_words.csv"
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
    """Return a phrase in all languages, folded, to recognise it as input."""
    return tuple(map(fold, _phrases()[key].values()))


def _locale(language: str) -> str:
    return _LOCALES.get(language, language)


def day_name(day: int, language: str) -> str:
    """Return the name of a day, counted from 1 for Monday, as it stands within a sentence."""
    return str(get_day_names("wide", locale=_locale(language))[day - 1])


@cache
def _day_words() -> Mapping[str, str]:
    """Return days, from "1" for Monday, by their names of three letters and more in any language.

    A name that is one day here and another there is left out.
    """
    found: dict[str, set[int]] = {}
    for language in CODES:
        for width in ("wide", "abbreviated", "short"):
            for day, name in get_day_names(width, locale=_locale(language)).items():
                found.setdefault(fold(name).rstrip("."), set()).add(day + 1)
    return {word: str(*days) for word, days in found.items() if len(days) == 1 and len(word) > 2}


@cache
def schedule_words() -> tuple[Mapping[str, tuple[str, str]], re.Pattern[str]]:
    """Return the words of the format, and what finds the longest of them.

    Days are known by their names in every language; those of two letters are the format's own,
    which are Dutch: "ma" is Monday and never the French or Italian Tuesday.
    """
    with WORDS.open(encoding="utf-8", newline="") as file:
        known = {fold(row["word"]): (row["role"], row["value"]) for row in csv.DictReader(file)}
    days = {**_day_words()} | {word: str(day) for word, day in two_letters("nl").items()}
    known = {word: ("days", day) for word, day in days.items()} | known
    longest = sorted(known, key=len, reverse=True)
    either = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest)
    return known, re.compile(rf"(?:{either})(?!\w)")


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
