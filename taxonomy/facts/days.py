"""Days and times of day, holidays, and hours as a hospital writes them in words of its own.

Free hours are in the hospital's own language (what reads schedules is schedules.py): "ma" is
Tuesday in French and Monday in Dutch, so a day is read in one language for a whole text, and what
no language reads in one way is shown as it is written.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import zip_longest
from typing import Any, Self

from taxonomy.dates.words import Calendar
from zol.records.values import WrongValue
from zol.text import fold
from zol.text import marked as _

ALL_DAY = 24 * 60


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From and to, in minutes since midnight."""

    start: int
    end: int

    @classmethod
    def between(cls, start: str, end: str) -> Self:
        """Return the span between two times such as "9:30"."""
        (hour, minute), (last_hour, last) = (map(int, each.split(":")) for each in (start, end))
        return cls(hour * 60 + minute, last_hour * 60 + last)

    def __str__(self) -> str:
        return f"{clock(self.start)}-{clock(self.end)}"


Spans = tuple[Span, ...]
#: Seven days, Monday first.
Week = tuple[Spans, ...]
WHOLE_DAY: Spans = (Span(0, ALL_DAY),)


def clock(minutes: int) -> str:
    """Return a time as it is written: "9:00"."""
    return f"{minutes // 60}:{minutes % 60:02}"


@dataclass(frozen=True, slots=True)
class Dates:
    """Days in a row: of one year, or of every year ("12-25")."""

    first: str
    last: str

    @classmethod
    def parse(cls, text: str) -> Self:
        first, _slash, last = (piece.strip() for piece in text.partition("/"))
        last = last or first
        for each in (first, last):
            try:
                date.fromisoformat(each if len(each) == 10 else f"2028-{each}")
            except ValueError:
                raise WrongValue(
                    _("“%(part)s” is no date such as 2026-12-24, or 12-24 for every year."), each
                ) from None
        if len(first) != len(last) or first > last:
            raise WrongValue(_("“%(part)s”: the days are the wrong way round."), text)
        return cls(first, last)

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first}/{self.last}"

    def __contains__(self, day: date) -> bool:
        written = day.isoformat()[-len(self.first) :]
        return self.first <= written <= self.last


#: Kind of the cues that are words of hours ("daily"), of which the one that weighs more than 1 is
#: said in its language.
WEEKDAY = "weekday"
#: Meanings of those that may stand for the times of a day.
STATES = frozenset({"closed", "by_appointment"})
_WORD = re.compile(r"[^\W\d_]+")
#: What may stand between two days: "lu-ve", "ma et je", "ma tot en met vr", "ma, je".
_BETWEEN = re.compile(r"\.?\s*(?:[-\u2013\u2014/&+,]\s*|\s(?:[\w/]+\s+){0,3})")
#: What follows the last of them: a time, or the end of a part.
_AFTER = re.compile(r"\.?\s*(?::?\s*\d|[:,;|)]|$)")

#: A time as Dutch and French write it, "8u30", "8h-17h" ("24h/24", "48u vooraf" are none), and what
#: stands for the sign in it.
HOUR = "hour"
_RANGE = (
    r"(?!\w)(?:(?=\s?[-\u2013\u2014]\s?\d)|(?<=[-\u2013\u2014]\d[uh])|(?<=[-\u2013\u2014]\d\d[uh]))"
)
_HOUR = re.compile(rf"\b(\d{{1,2}})\s?[uh](?:(\d\d)\b|{_RANGE})")
#: The dot of an abbreviation, "lun.", which does not end the text.
_DOT = re.compile(r"\.(?!$)")


class HoursSort(Enum):
    """Purpose of hours."""

    OPENING = "opening"
    VISITING = "visiting"


@dataclass(frozen=True, slots=True)
class FreeHours:
    """When a place is open, and when visitors are welcome."""

    opening: str = ""
    visiting: str = ""


def split_hours(hours: str, sort_of: Callable[[str], HoursSort | None]) -> FreeHours:
    """Separate visiting hours from opening hours: "raadpleging ma-vr 9:00-17:00; bezoek 14-20 u".

    A part of unknown purpose continues the one before it.
    """
    parts: dict[HoursSort, list[str]] = {sort: [] for sort in HoursSort}
    sort = HoursSort.OPENING
    for part in filter(None, (piece.strip() for piece in hours.split(";"))):
        sort = sort_of(part) or sort
        parts[sort].append(part)
    return FreeHours("; ".join(parts[HoursSort.OPENING]), "; ".join(parts[HoursSort.VISITING]))


@dataclass(frozen=True, slots=True)
class DayNames:
    """Names of weekdays and other words of opening hours, by language."""

    #: For a language, the day that a folded word names, from 1 for Monday.
    names: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: For a language, what other words mean, the longest first; and how each is said in it.
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    said_as: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def said(self, hours: str, language: str, name: Callable[[int], str], to: str = "") -> str:
        """Return hours with their days by another name: "lu-ve 8h30" as "maandag-vrijdag 8h30", and
        with other words that are known in the language that they go `to`.

        They are read in the hospital's language; in another where that one does not know all their
        days. What can be read in two ways is returned as it is.
        """
        days = self._read(hours, language)
        for word in sorted(days, key=lambda each: each.start(), reverse=True):
            end = (_DOT.match(hours, word.end()) or word).end()
            hours = f"{hours[: word.start()]}{name(days[word]) or word[0]}{hours[end:]}"
        return self._in_words(hours, language, to) if to not in ("", language) else hours

    def _in_words(self, hours: str, language: str, to: str) -> str:
        known, said = self.words.get(language, {}), self.said_as.get(to, {})
        word = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, known))})(?!\w)", re.IGNORECASE)
        hours = word.sub(lambda each: said.get(known.get(each[0].lower(), ""), each[0]), hours)
        sign, whole = said.get(HOUR, ":"), "" if HOUR in said else "00"
        return _HOUR.sub(lambda time: f"{time[1]}{sign}{time[2] or whole}", hours)

    def _read(self, hours: str, language: str) -> dict[re.Match[str], int]:
        read = {code: dict(self._days_in(hours, code)) for code in self.names}
        most = max(map(len, read.values()), default=0)
        own = read.get(language, {})
        if len(own) == most or not any(letter.isdigit() for letter in hours):
            return own
        full = [found for found in read.values() if len(found) == most]
        ways = {tuple((word.start(), day) for word, day in found.items()) for found in full}
        return full[0] if len(ways) == 1 else {}

    def _days_in(self, hours: str, language: str) -> Iterator[tuple[re.Match[str], int]]:
        """Yield the words that stand where a day stands: before another one, a time, an end, or
        what holds on it ("di fermé")."""
        known, said = self.names[language], self.words.get(language, {})
        states = tuple(text for text, means in said.items() if means in STATES)
        words = [word for word in _WORD.finditer(hours) if fold(word[0]) in known]
        for word, following in zip_longest(words, words[1:]):
            gap = hours[word.end() : following.start()] if following else ""
            rest = hours[word.end() :].lstrip(" .").lower()
            is_before = _AFTER.match(hours, word.end()) or rest.startswith(states)
            if (following and _BETWEEN.fullmatch(gap)) or is_before:
                yield word, known[fold(word[0])]


def day_names(calendar: Calendar, rows: Iterable[Mapping[str, Any]]) -> DayNames:
    """Return the names of days in a calendar, and the other words of hours among cues."""
    names = {code: words.weekdays for code, words in calendar.words.items()}
    words, said = (defaultdict[str, dict[str, Any]](dict) for _ in range(2))
    for row in sorted(rows, key=lambda row: (-len(row["text"]), float(row["weight"]))):
        code, text, target = row["language"], row["text"], row["target"]
        if row["kind"] == WEEKDAY and not target.isdigit():
            words[code][text.lower()] = target
            if float(row["weight"]) > 1:
                said[code][target] = text
    return DayNames(names, words, said)
