"""Phrases, numbers and dates in all languages, from rows and from Babel."""

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
#: Replaces the non-breaking spaces of Babel between numbers and units.
_UNBROKEN = str.maketrans({"\u00a0": " ", "\u202f": " "})
#: English dates and times are British.
_LOCALES = {"en": "en_GB"}
#: The language of texts that lack a translation.
FALLBACK = "en"
UNITS = ("minute", "hour", "day", "week", "month", "year")


@cache
def _phrases() -> Mapping[str, Mapping[str, str]]:
    with PHRASES.open(encoding="utf-8", newline="") as file:
        return {row.pop("key"): row for row in csv.DictReader(file)}


#: Codes of the languages of the phrases.
CODES = tuple(_phrases()["closed"])


def phrase(key: str, language: str, **values: object) -> str:
    """Return a phrase in a language, with its values filled in."""
    known = _phrases()[key]
    return (known.get(language) or known[FALLBACK]).format(**values)


@cache
def words_for(key: str) -> tuple[str, ...]:
    """Return a phrase in all languages, folded, for recognition in input."""
    return tuple(map(fold, _phrases()[key].values()))


def _locale(language: str) -> str:
    return _LOCALES.get(language, language)


def day_name(day: int, language: str) -> str:
    """Return the name of a weekday, from 1 for Monday, as written within a sentence."""
    return str(get_day_names("wide", locale=_locale(language))[day - 1])


@cache
def _day_words() -> Mapping[str, str]:
    """Return weekdays, from "1" for Monday, by names of three or more letters in any language.

    A name that means different days in different languages is omitted.
    """
    found: dict[str, set[int]] = {}
    for language in CODES:
        for width in ("wide", "abbreviated", "short"):
            for day, name in get_day_names(width, locale=_locale(language)).items():
                found.setdefault(fold(name).rstrip("."), set()).add(day + 1)
    return {word: str(*days) for word, days in found.items() if len(days) == 1 and len(word) > 2}


@cache
def schedule_words() -> tuple[Mapping[str, tuple[str, str]], re.Pattern[str]]:
    """Return role and value of each word in schedules, and a pattern for the longest of them.

    Names of days are those of all languages. Two-letter names are Dutch only: "ma" is Monday, not
    the French or Italian Tuesday.
    """
    with WORDS.open(encoding="utf-8", newline="") as file:
        known = {fold(row["word"]): (row["role"], row["value"]) for row in csv.DictReader(file)}
    days = {**_day_words()} | {word: str(day) for word, day in two_letters("nl").items()}
    known = {word: ("days", day) for word, day in days.items()} | known
    longest = sorted(known, key=len, reverse=True)
    either = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest)
    return known, re.compile(rf"(?:{either})(?!\w)")


def long_date(day: date, language: str) -> str:
    return format_date(day, "long", locale=_locale(language))


def listed(items: list[str], language: str) -> str:
    """Format a list: "a, b en c"."""
    return format_list(items, locale=_locale(language))


def money(amount: Decimal, currency: str, language: str) -> str:
    return format_currency(amount, currency, locale=_locale(language)).translate(_UNBROKEN)


@cache
def measured(amount: Decimal, unit: str, language: str) -> str:
    """Format a duration: "20 minuten". If CLDR has no long form, the short one is the same."""
    for length in ("long", "short"):
        text = format_unit(amount, f"duration-{unit}", length, locale=_locale(language))
        if "duration" not in text:
            return text.translate(_UNBROKEN)
    raise LookupError(unit)


def number(amount: Decimal, language: str) -> str:
    return format_decimal(amount, locale=_locale(language))


@cache
def units_by_word() -> Mapping[str, str]:
    """Return the units of time by their words in all languages."""
    found = {}
    for unit in UNITS:
        for language in CODES:
            for amount in map(Decimal, (1, 2, 5, 30)):
                text = measured(amount, unit, language)
                found[fold(text.replace(number(amount, language), "").strip())] = unit
        found[unit] = unit
    return found
