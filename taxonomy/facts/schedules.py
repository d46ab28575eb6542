"""Parser of consultation schedules and hours: free input in, one canonical form out.

A schedule `ma-vr 9u-12u en 13u30-17u` is kept in the one form of the packs, `ma-vr 9:00-12:00|
ma-vr 13:30-17:00`; of `ma 9-12 uur op afspraak` it is said which word cannot be read. Forms,
imports, packs, proposals and the chat all read here: nothing is kept that no patient would be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from taxonomy.dates.words import two_letters
from taxonomy.facts.phrases import day_name, schedule_words
from zol.records.values import WrongValue
from zol.text import fold
from zol.text import marked as _

#: The days as a Dutch hospital's packs and exports write them, Monday first (spec 01); those of
#: other hospitals write whole names, since "ma" is Tuesday in French.
DAYS = ("ma", "di", "wo", "do", "vr", "za", "zo")
OWN = "nl"
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[|;\n]")
_UNIT = r"(?:\s*(?:uur|u|h)(?!\w))?"
_CLOCK = rf"\d{{1,2}}\s*[:.uh]\s*\d{{2}}(?!\d){_UNIT}|\d{{1,2}}(?!\d){_UNIT}"
#: What is written for "until".
_DASHES = "-\u2013\u2014"
_TOKEN = re.compile(
    rf"@(?P<campus>[a-z0-9_-]+)|(?P<clock>{_CLOCK})|(?P<mark>[{_DASHES},&+/])|(?P<gap>\s+|\.)"
)
#: In hours: a time with its minutes, and two times with a line between them. A number with a dot is
#: a time only beside another one: it may be a date or a price.
_EXACT = re.compile(r"(?<![\d.,:/])\d{1,2}[:uh]\d{2}(?!\d)")
_ONE = r"\d{1,2}(?:[:.uh]\d{2}(?!\d)|\s*(?:uur|u|h)(?!\w)(?:\s*\d{2}(?!\d))?)"
_SPAN = re.compile(rf"(?<![\d.,:/])({_ONE})\s*[{_DASHES}]\s*({_ONE}|\d{{1,2}}(?!\d)|(?=$|;))")

#: As a spreadsheet writes what it has taken for a date: 1/03/2026, 1-mrt, mrt-26.
_DATE = re.compile(
    r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}[-/][^\W\d_]{3,5}\.?(?:[-/]\d{2,4})?"
    r"|[^\W\d_]{3,5}\.?[-/]\d{2}"
)


class UnreadableSchedule(WrongValue):
    """A part that cannot be read, and why."""


@dataclass(frozen=True, slots=True)
class Consultation:
    """Days in a row, counted from 1 for Monday, with one time and one place."""

    first: int
    last: int
    start: str
    end: str
    campus: str = ""

    def __str__(self) -> str:
        days = "-".join(dict.fromkeys((DAYS[self.first - 1], DAYS[self.last - 1])))
        return f"{days} {self.start}-{self.end}{'@' if self.campus else ''}{self.campus}"


@dataclass(frozen=True, slots=True)
class Slot:
    """One consultation: the day counted from 1 for Monday, and where."""

    day: int
    start: str
    end: str
    campus: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    role: str
    text: str
    value: str = ""


@lru_cache(maxsize=4_096)
def parse(schedule: str) -> tuple[Consultation, ...]:
    """Return the consultations of a schedule, in the order in which they are written.

    Days on which there is none count for what stands before them; at the beginning, for all.
    """
    found: list[Consultation] = []
    never: frozenset[int] = frozenset()
    for part in _parts(schedule):
        for consultations, without in _Reader(part).statements():
            if consultations:
                found += _left(consultations, without | never)
            elif found:
                found = list(_left(found, without))
            else:
                never |= without
    if not found and schedule.strip():
        raise UnreadableSchedule(
            _("“%(part)s” says only when there is no consultation: write when there is one."),
            schedule.strip(),
        )
    return tuple(found)


def days_without(schedule: str) -> frozenset[int]:
    """Return the days on which a schedule says that there is nothing."""
    read = (_Reader(part).statements() for part in _parts(schedule))
    return frozenset(day for each in read for _, without in each for day in without)


def written(consultations: Iterable[Consultation]) -> str:
    """Return consultations in the form of the packs: "ma-vr 9:00-12:00@sint-jan|za 9:00-11:00"."""
    return "|".join(map(str, consultations))


def kept(schedule: str, language: str) -> str:
    """Return a schedule as a hospital of a language keeps it, read in that language."""
    return days_in(written(parse(whole_days(schedule, language))), language)


def whole_days(text: str, language: str) -> str:
    """Return a text with the whole names of days that its language writes in two letters."""
    if language == OWN:
        return text
    known = two_letters(language)
    return _WORD.sub(
        lambda word: (
            day_name(known[fold(word[0])], language) if fold(word[0]) in known else word[0]
        ),
        text,
    )


def days_in(text: str, language: str) -> str:
    """Return a text of `DAYS` with the names that they have in a language."""
    if language == OWN:
        return text
    return _WORD.sub(
        lambda word: day_name(DAYS.index(word[0]) + 1, language) if word[0] in DAYS else word[0],
        text,
    )


def slots(schedule: str) -> tuple[Slot, ...]:
    """Return the consultations day by day; of a schedule that was kept unread, what can be read."""
    return tuple(
        Slot(day, one.start, one.end, one.campus)
        for one in _readable(schedule)
        for day in range(one.first, one.last + 1)
    )


def campuses_of(schedule: str) -> tuple[str, ...]:
    """Return the keys of the campuses that a schedule names, each once."""
    return tuple(dict.fromkeys(one.campus for one in _readable(schedule) if one.campus))


def check_hours(hours: str) -> None:
    """Refuse a date, and hours with a time that does not exist or does not end. Everything else is
    free text in the hospital's language, and is shown as it is written."""
    if _DATE.fullmatch(hours.strip()):
        raise UnreadableSchedule(
            _("“%(part)s” is a date that a spreadsheet made from 1-3: write 13:00-15:00."), hours
        )
    for clock in _EXACT.finditer(hours):
        _time_of(clock[0])
    for span in _SPAN.finditer(hours):
        start, end = _time_of(span[1]), _time_of(span[2]) if span[2] else ""
        if start == end or not end:
            raise UnreadableSchedule(_("“%(part)s”: until what time? Write 9:00-12:00."), span[0])


def _readable(schedule: str) -> Iterator[Consultation]:
    try:
        yield from parse(schedule)
    except UnreadableSchedule:
        parts = tuple(_parts(schedule))
        for part in parts if len(parts) > 1 else ():
            yield from _readable(part)


def _parts(schedule: str) -> Iterator[str]:
    return filter(None, (part.strip() for part in _PARTS.split(schedule)))


def _left(consultations: Iterable[Consultation], without: frozenset[int]) -> Iterator[Consultation]:
    """Yield what is left of consultations on other days than these."""
    for one in consultations:
        kept = [day for day in range(one.first, one.last + 1) if day not in without]
        for _gap, row in groupby(enumerate(kept), key=lambda place: place[1] - place[0]):
            run = [day for _number, day in row]
            yield replace(one, first=run[0], last=run[-1])


class _Reader:
    """Reads one part of a schedule: days, times, a campus; and again."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.tokens = list(_tokens(part))

    def statements(self) -> Iterator[tuple[list[Consultation], frozenset[int]]]:
        """Yield consultations with the days on which they are not; none for such days alone."""
        while self._skip("and"):
            if without := self._exception():
                yield [], without
                continue
            # "8-16 op weekdagen" and "op weekdagen 8-16".
            has_days = any(token.role == "days" for token in self.tokens)
            before = self._times() if has_days and self._next() == "clock" else []
            rows = self._days()
            if not before and self._is_closed():
                yield [], frozenset(_each(rows))
                continue
            without = self._exception()
            self._skip("and")
            times = before or self._times()
            yield [Consultation(*row, *time) for time in times for row in rows], without

    def _is_closed(self) -> bool:
        """Read "closed" behind days, which is no "except" before others."""
        is_closed = self._next() == "without" and (
            len(self.tokens) == 1 or self.tokens[1].role == "and"
        )
        return is_closed and bool(self._take("without"))

    def _exception(self) -> frozenset[int]:
        """Read the days on which there is none, if any are told here."""
        return frozenset(_each(self._days() if self._take("without") else []))

    def _next(self) -> str:
        return self.tokens[0].role if self.tokens else ""

    def _take(self, role: str) -> _Token | None:
        return self.tokens.pop(0) if self._next() == role else None

    def _skip(self, role: str) -> bool:
        """Pass over what joins; say whether anything is left."""
        while self._take(role):
            pass
        return bool(self.tokens)

    def _days(self) -> list[tuple[int, int]]:
        rows = [self._row()]
        while self._next() == "and" and len(self.tokens) > 1 and self.tokens[1].role == "days":
            self.tokens.pop(0)
            rows.append(self._row())
        return rows

    def _row(self) -> tuple[int, int]:
        token = self._take("days")
        if token is None:
            raise UnreadableSchedule(
                _("“%(part)s” does not begin with a day, such as ma, maandag, ma-vr or weekdagen."),
                self.tokens[0].text.strip() if self.tokens else self.part,
            )
        first, last = _row_of(token)
        if self._take("until"):
            other = self._take("days")
            if other is None:
                raise UnreadableSchedule(_("“%(part)s”: add the last day."), self.part)
            last = _row_of(other)[1]
        if first > last or (first == last and len(token.value) > 1):
            raise UnreadableSchedule(_("“%(part)s”: put the first day before the last."), self.part)
        return first, last

    def _times(self) -> list[tuple[str, str, str]]:
        times = [self._time()]
        while self._next() == "and" and len(self.tokens) > 1 and self.tokens[1].role == "clock":
            self.tokens.pop(0)
            times.append(self._time())
        # "9-12 en 13-17 @sint-jan": both are there.
        campus = times[-1][2]
        return [(start, end, own or campus) for start, end, own in times]

    def _time(self) -> tuple[str, str, str]:
        start = self._clock()
        if not self._take("until"):
            raise UnreadableSchedule(_("“%(part)s”: until what time? Write 9:00-12:00."), self.part)
        end = self._clock()
        if start.zfill(5) >= end.zfill(5):
            raise UnreadableSchedule(_("“%(part)s” ends before it starts."), f"{start}-{end}")
        campus = self._take("campus")
        return start, end, campus.value if campus else ""

    def _clock(self) -> str:
        token = self._take("clock")
        if token is None:
            raise UnreadableSchedule(
                _("“%(part)s” has no time: write it like 9:00-12:00 or 13u30-17u."), self.part
            )
        return _time_of(token.text)


def _each(rows: Iterable[tuple[int, int]]) -> Iterator[int]:
    return (day for first, last in rows for day in range(first, last + 1))


def _time_of(clock: str) -> str:
    hour, minute = (*map(int, re.findall(r"\d+", clock)), 0)[:2]
    if minute > 59 or hour * 60 + minute > 24 * 60:
        raise UnreadableSchedule(
            _("“%(part)s” is not a time of day: write it like 9:00."), clock.strip()
        )
    return f"{hour}:{minute:02}"


def _row_of(token: _Token) -> tuple[int, int]:
    first, _dash, last = token.value.partition("-")
    return int(first), int(last or first)


def _tokens(part: str) -> Iterator[_Token]:
    """Cut a part into what it says; a word that is none of the format's is refused."""
    text, place = fold(part).replace("’", "'"), 0
    known, pattern = schedule_words()
    while place < len(text):
        if word := pattern.match(text, place):
            role, value = known[" ".join(word[0].split())]
            place = word.end()
            if role != "none":
                yield _Token(role, word[0], value)
        elif token := _TOKEN.match(text, place):
            place = token.end()
            if token["campus"]:
                yield _Token("campus", token[0], token["campus"])
            elif token["clock"]:
                yield _Token("clock", token[0])
            elif token["mark"]:
                yield _Token("until" if token["mark"] in _DASHES else "and", token[0])
        else:
            rest = part[place:].split(maxsplit=1)[0] if len(text) == len(part) else part
            raise UnreadableSchedule(
                _(
                    "“%(part)s” cannot be read: write days, hours and the key of a campus, such as "
                    "ma-vr 9:00-12:00@noord."
                ),
                rest.strip(",.()"),
            )
