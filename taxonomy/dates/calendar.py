"""Holidays of a country, and days that have a name: "Easter Monday", "Christmas Eve"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

import holidays
from dateutil.easter import easter

#: Languages whose names of holidays the library knows; others are rows.
NAMED = ("nl", "fr", "de", "en")
#: A rule that is the library's own: its name in English. Any year has the names.
NAME, SAMPLE = "name ", 2026
_LOCALES = {"en": "en_US"}
#: How a row says when a day is: "12-25", "easter 39"; "be" before it for one country.
_RULE = re.compile(r"(?:([a-z]{2}) )?(?:(\d\d)-(\d\d)|easter ?(-?\d{1,3})?)")


@lru_cache(maxsize=64)
def _holidays_of(country: str, year: int, language: str = "en") -> dict[date, str]:
    try:
        found = holidays.country_holidays(
            country.upper(), years=year, language=_LOCALES.get(language, language)
        )
    except NotImplementedError:  # A country whose holidays nobody has written down.
        return {}
    return dict(found)


def is_holiday(day: date, country: str) -> bool:
    """Say whether a day is a public holiday of a country."""
    return day in _holidays_of(country, day.year)


def holiday_name(day: date, country: str, language: str) -> str:
    """Return what a public holiday is called where the library knows that; else nothing."""
    if language not in NAMED:
        return ""
    return _holidays_of(country, day.year, language).get(day, "")


def holiday_names(country: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the library's names of a country's holidays in a language, each with its rule."""
    if language in NAMED:
        english = _holidays_of(country, SAMPLE)
        for day, name in _holidays_of(country, SAMPLE, language).items():
            yield name, f"{NAME}{english[day]}"


def day_called(rule: str, year: int, country: str = "") -> date | None:
    """Return the day of a year that a rule means; nothing where it means none."""
    if rule.startswith(NAME):
        named = _holidays_of(country, year).items()
        return next((day for day, name in named if f"{NAME}{name}" == rule), None)
    found = _RULE.fullmatch(rule)
    if found is None:
        return None
    try:
        if found[2]:
            return date(year, int(found[2]), int(found[3]))
    except ValueError:
        return None
    sunday: date = easter(year)
    return sunday + timedelta(int(found[4] or 0))


def is_rule(rule: str) -> bool:
    """Say whether a rule means a day, in some years at least."""
    return day_called(rule, 2028) is not None


def is_of(rule: str, country: str) -> bool:
    """Say whether a rule can be read and holds in a country."""
    found = _RULE.fullmatch(rule)
    return found is not None and found[1] in (None, country.lower())
