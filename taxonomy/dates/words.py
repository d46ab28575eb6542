"""Vocabulary of days, times and holidays by language, from rows and from libraries.

The target of a row gives the meaning of its phrases ("weekday 3", "day 1 18-23", "holiday easter
39"); phrases are separated by bars. Short abbreviations are weak: "sat", "di" and "mi" are also
other words, and count only next to a date.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache, cached_property, lru_cache
from typing import Any

import holidays
from babel.dates import get_day_names, get_month_names
from dateutil.easter import easter
from rapidfuzz import process
from rapidfuzz.distance import OSA

from taxonomy.language.tokens import root
from zol.languages import LANGUAGES
from zol.text import fold

#: Kind of the rows.
MOMENT = "moment"
#: The codes of the grammar by the first word of a row's target. A "feast" is a holiday whose name
#: is recognised but never printed. A "clause" begins after a date ("le 25 je"). A "numbered" noun
#: precedes its number ("room 12"), a "counted" one follows it ("3rd dose"). A "short" weekday has
#: two letters that are no other word ("do vormittag").
CODES = {
    "day": "D", "part": "P", "weekday": "W", "unit": "U", "days": "Q", "later_days": "q",
    "month": "M", "ordinal": "O", "number": "N", "one": "1", "this": "t", "coming": "c",
    "next": "n", "last": "l", "week": "E", "ahead": "i", "later": "s", "ago": "g", "to": "z",
    "and": "a", "on": "o", "date": "d", "of": "f", "month_of": "j", "in": "m", "clock": "k",
    "oclock": "h", "open": "p", "now": "w", "title": "x", "holiday": "H",
    "offset": "b", "after_next": "y", "since": "u", "between": "r", "feast": "H",
    "clause": "A", "numbered": "B", "counted": "S", "short": "K",
}  # fmt: skip
WEEKDAY, WEAK, MONTH, HOLIDAY = CODES["weekday"], "v", CODES["month"], CODES["holiday"]
#: Phrases with a day's name that mean no day ("mardi gras"), and words next to which "14/9" is no
#: date (blood pressure).
NOTHING, PRESSURE = "no", "pressure"
#: Words before the date of a page: "laatst bijgewerkt".
WRITTEN = "written"
#: The highest number of each numbered meaning.
MOST = {"weekday": 7, "month": 12, "ordinal": 31}
WORD = re.compile(r"[^\W\d_]+|\d+")
#: Minimum letters of a weekday that is no other word, and of a name that may be misspelt.
STRONG, LONG = 5, 6
#: Greek weekdays that are also feminine ordinals.
_NUMBERS = frozenset(map(fold, ("δευτέρα", "τρίτη", "τετάρτη", "πέμπτη")))
Meanings = Mapping[str, Any]
Phrase = tuple[str, ...]


@dataclass(frozen=True)
class DayWords:
    """Vocabulary of one language. Immutable once built."""

    language: str = ""
    #: Possible meanings of each phrase, by code.
    phrases: Mapping[Phrase, Meanings] = field(default_factory=dict)
    longest: int = 1
    #: Phrases that mean no day, and words next to which figures are no date.
    nothing: re.Pattern[str] | None = None
    pressure: frozenset[str] = frozenset()
    #: Names that are also matched when misspelt.
    mistyped: tuple[str, ...] = ()
    written: re.Pattern[str] | None = None
    _guessed: dict[str, Meanings] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        """Weekdays, from 1, by their words."""
        found = ((phrase, each.get("W", each.get(WEAK))) for phrase, each in self.phrases.items())
        return {phrase[0]: day for phrase, day in found if day and len(phrase) == 1}

    @cached_property
    def weekend(self) -> frozenset[str]:
        """Single words for a weekend."""
        found = (p for p, means in self.phrases.items() if means.get("U") == "weekend")
        return frozenset(phrase[0] for phrase in found if len(phrase) == 1)

    def of(self, word: str) -> Meanings:
        """Return the possible meanings of a word.

        It may have a Turkish ending, contain a part of the day ("vrijdagnamiddag") or be misspelt.
        """
        if (word,) in self.phrases:
            return self.phrases[word,]
        if word not in self._guessed:
            self._guessed[word] = self._guess(word) if len(self._guessed) < 50_000 else {}
        return self._guessed[word]

    def _guess(self, word: str) -> Meanings:
        if self.language == "tr":
            meant = root(word, "tr")
            named = (p for p in self.phrases if len(p) == 1 and len(p[0]) > 3)
            alike = (self.phrases[p] for p in named if root(p[0], "tr") == meant)
            return next((found for found in alike if {"M", "H", "W"} & found.keys()), {})
        for cut in range(len(word) - 3, STRONG - 1, -1) if self.language in ("nl", "de") else ():
            day, part = (self.phrases.get((each,), {}) for each in (word[:cut], word[cut:]))
            if WEEKDAY in day and "P" in part:
                return {WEEKDAY: day[WEEKDAY], "P": part["P"]}
            if "D" in day and "P" in part:
                return {"D": (day["D"][0], *part["P"])}
        if len(word) < STRONG:
            return {}
        close = process.extractOne(word, self.mistyped, scorer=OSA.distance, score_cutoff=1)
        return self.phrases[close[0],] if close and close[0][0] == word[0] else {}


@dataclass(frozen=True, slots=True)
class Calendar:
    """Vocabulary and holidays of a hospital's country."""

    country: str = "be"
    words: Mapping[str, DayWords] = field(default_factory=dict)
    #: By language, the names of holidays by their rule.
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    __hash__ = object.__hash__


def calendar(rows: Iterable[Mapping[str, Any]], country: str) -> Calendar:
    """Build the calendar of a country from rows of words, numbers and titles."""
    found: defaultdict[str, defaultdict[Phrase, dict[str, Any]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    names: defaultdict[str, dict[str, str]] = defaultdict(dict)
    others: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for language, sort, value, text in _read(row):
            phrase = tuple(WORD.findall(fold(text).replace("’", "'")))
            if sort in (NOTHING, PRESSURE, WRITTEN):
                others[language][sort].append(fold(text))
            elif sort in CODES and phrase and (sort != "holiday" or is_of(value, country)):
                found[language][phrase].setdefault(CODES[sort], value)
                if sort == "holiday":
                    names[language].setdefault(value, text)
    for language, phrases in found.items():
        for phrase, code, value in _babel(language, country):
            phrases[phrase].setdefault(code, value)
    return Calendar(
        country.lower(),
        {code: _day_words(code, found[code], others[code]) for code in found},
        names,
    )


@cache
def two_letters(language: str) -> Mapping[str, int]:
    """Return weekdays by two letters: "ma" is Monday in Dutch and Tuesday in French."""
    names = get_day_names("wide", locale=language)
    found = {fold(name)[:2]: day + 1 for day, name in names.items()}
    if len(found) < len(names):
        short = get_day_names("short", locale=language)
        found = {fold(name): day + 1 for day, name in short.items()}
    return found


def _read(row: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, str]]:
    """Yield the language, sort, value and text of each phrase of a row."""
    language, text = row["language"], row["text"]
    if row["kind"] == "number_word":
        if float(row["target"]) in range(1, 32):
            yield language, "number", int(row["target"]), text
    elif row["kind"] == "person_title":
        # "Dr Friday" is a person in any language.
        for code in LANGUAGES:
            yield code, "title", "", text
    elif row["kind"] == MOMENT and is_meaning(row["target"]):
        sort, _space, value = row["target"].partition(" ")
        for phrase in text.split("|"):
            yield language, sort, _value(sort, value), phrase.strip()


def is_meaning(target: str) -> bool:
    """Return whether the target of a row is valid."""
    sort, _space, value = target.partition(" ")
    try:
        number = _value(sort, value)
    except ValueError:
        return False
    if sort in MOST and not 1 <= number <= MOST[sort]:
        return False
    return sort in {*CODES, NOTHING, PRESSURE, WRITTEN} and (
        CODES.get(sort) != HOLIDAY or is_rule(value)
    )


def _value(sort: str, value: str) -> Any:
    """Parse the value of a target: a number, days ahead with a part of the day, or a rule."""
    if sort in ("weekday", "month", "ordinal", "days", "later_days", "week", "offset"):
        return int(value)
    if sort in ("day", "part"):
        days, _space, part = value.partition(" ") if sort == "day" else ("0", "", value)
        first, _dash, last = part.partition("-")
        hours = (int(first) * 60, int(last) * 60) if part else (None, None)
        return (int(days), *hours) if sort == "day" else hours
    return value


def _babel(language: str, country: str) -> Iterator[tuple[Phrase, str, Any]]:
    """Yield the names of days, months and holidays from libraries."""
    days, months = WEEKDAY, MONTH
    named = [(name, days, day + 1) for day, name in get_day_names(locale=language).items()]
    for width in ("abbreviated", "short"):
        short = get_day_names(width, locale=language).items()
        named += [(name, WEAK, day + 1) for day, name in short]
    named += [(name, WEAK, day) for name, day in two_letters(language).items()]
    for context in ("format", "stand-alone"):
        named += [(n, months, at) for at, n in get_month_names("wide", context, language).items()]
    short_months = get_month_names("abbreviated", locale=language).items()
    named += [(name, months, month) for month, name in short_months]
    for name, code, value in (
        *named,
        *((n, HOLIDAY, r) for n, r in holiday_names(country, language)),
    ):
        yield tuple(WORD.findall(fold(name))), code, value


def _day_words(
    language: str, phrases: dict[Phrase, dict[str, Any]], others: Mapping[str, list[str]]
) -> DayWords:
    full = {fold(name) for name in get_day_names("wide", locale=language).values()}
    for phrase, meanings in phrases.items():
        # Abbreviations are weak; full names are strong even if short.
        if WEEKDAY in meanings and WEAK in meanings:
            del meanings[WEAK]
        if WEEKDAY in meanings and len(phrase[0]) < STRONG and phrase[0] not in full:
            meanings[WEAK] = meanings.pop(WEEKDAY)
        if language == "el" and phrase[0] in _NUMBERS:
            meanings["number"] = True
    long = {"W": LONG, "M": LONG, "D": LONG + 1, "H": LONG + 1}
    if language == "el":
        long = dict.fromkeys(long, LONG + 2)
    mistyped = tuple(
        phrase[0]
        for phrase, meanings in phrases.items()
        if len(phrase) == 1 and any(len(phrase[0]) >= long.get(code, 99) for code in meanings)
    )
    return DayWords(
        language,
        phrases,
        max(map(len, phrases), default=1),
        _either(others.get(NOTHING, ())),
        frozenset(others.get(PRESSURE, ())),
        mistyped,
        _either(others.get(WRITTEN, ())),
    )


def _either(texts: Iterable[str]) -> re.Pattern[str] | None:
    """Compile a pattern for any of some texts as whole words; None without texts."""
    either = "|".join(sorted(map(re.escape, texts), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)") if either else None


#: Languages for which the library has names of holidays; others come from rows.
NAMED = ("nl", "fr", "de", "en")
#: Prefix of a rule that is an English holiday name of the library, and a year to list those names.
NAME, SAMPLE = "name ", 2026
_LOCALES = {"en": "en_US"}
#: Rules in rows: "12-25", "easter 39"; "be" before it limits it to a country.
_RULE = re.compile(r"(?:([a-z]{2}) )?(?:(\d\d)-(\d\d)|easter ?(-?\d{1,3})?)")


@lru_cache(maxsize=64)
def _holidays_of(country: str, year: int, language: str = "en") -> dict[date, str]:
    try:
        found = holidays.country_holidays(
            country.upper(), years=year, language=_LOCALES.get(language, language)
        )
    except NotImplementedError:  # The library lacks the country.
        return {}
    return dict(found)


def is_holiday(day: date, country: str) -> bool:
    """Return whether a day is a public holiday in a country."""
    return day in _holidays_of(country, day.year)


def holiday_name(day: date, country: str, language: str) -> str:
    """Return the library's name of a public holiday; empty if it has none."""
    if language not in NAMED:
        return ""
    return _holidays_of(country, day.year, language).get(day, "")


def holiday_names(country: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the library's holiday names of a country in a language, with their rules."""
    if language in NAMED:
        english = _holidays_of(country, SAMPLE)
        for day, name in _holidays_of(country, SAMPLE, language).items():
            yield name, f"{NAME}{english[day]}"


def day_called(rule: str, year: int, country: str = "") -> date | None:
    """Return the day of a rule in a year; None if there is none."""
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
    """Return whether a rule is a day in a leap year."""
    return day_called(rule, 2028) is not None


def is_of(rule: str, country: str) -> bool:
    """Return whether a rule is valid and holds in a country."""
    found = _RULE.fullmatch(rule)
    return found is not None and found[1] in (None, country.lower())
