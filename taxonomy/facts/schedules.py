"""Parser of consultation schedules and opening hours: free input in, one canonical form out.

"ma-vr 9u-12u en 13u30-17u" becomes "ma-vr 9:00-12:00|ma-vr 13:30-17:00", the form of packs. Input
with a word that is not part of the format ("op afspraak") is refused with that word. Forms, packs,
imports, proposals and the chat share this parser, so that patients see every stored schedule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from taxonomy.dates.words import two_letters
from taxonomy.facts.phrases import day_name, schedule_words
from zol.records.values import WrongValue
from zol.text import fold
from zol.text import marked as _

#: Abbreviations of days in the packs and exports of a Dutch hospital, Monday first (spec 01). Other
#: hospitals use whole names, since "ma" is Tuesday in French.
DAYS = ("ma", "di", "wo", "do", "vr", "za", "zo")
#: The language of `DAYS`.
OWN = "nl"
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[|;\n]")
_UNIT = r"(?:\s*(?:uur|u|h)(?!\w))?"
_CLOCK = rf"\d{{1,2}}\s*[:.uh]\s*\d{{2}}(?!\d){_UNIT}|\d{{1,2}}(?!\d){_UNIT}"
_DASHES = "-\u2013\u2014"
_TOKEN = re.compile(
    rf"@(?P<campus>[a-z0-9_-]+)|(?P<clock>{_CLOCK})|(?P<mark>[{_DASHES},&+/])|(?P<gap>\s+|\.)"
)
#: Signs of the grammar below, by the roles of words; clock times are "c", campuses "@".
_SIGNS = {"days": "d", "until": "-", "and": ",", "without": "x"}
_DAYS, _TIMES = "d(?:-d)?(?:,d(?:-d)?)*", "c-c@?(?:,c-c@?)*"
#: A statement: "not on Monday", "Monday closed", "8-16 on weekdays", "weekdays except Monday 8-16".
_STATEMENT = re.compile(
    rf",*(?:x(?P<never>{_DAYS})|(?P<closed>{_DAYS})x(?=,|$)"
    rf"|(?P<before>{_TIMES})?(?P<days>{_DAYS})(?:x(?P<without>{_DAYS}))?"
    rf"(?(before)|,*(?P<after>{_TIMES})))"
)
#: In opening hours: a time with minutes, and a range of two times. A number with a dot is a time
#: only within a range; elsewhere it may be a date or a price.
_EXACT = re.compile(r"(?<![\d.,:/])\d{1,2}[:uh]\d{2}(?!\d)")
_ONE = r"\d{1,2}(?:[:.uh]\d{2}(?!\d)|\s*(?:uur|u|h)(?!\w)(?:\s*\d{2}(?!\d))?)"
_SPAN = re.compile(rf"(?<![\d.,:/])({_ONE})\s*[{_DASHES}]\s*({_ONE}|\d{{1,2}}(?!\d)|(?=$|;))")

#: A date as spreadsheets write it: 1/03/2026, 1-mrt, mrt-26.
_DATE = re.compile(
    r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}[-/][^\W\d_]{3,5}\.?(?:[-/]\d{2,4})?"
    r"|[^\W\d_]{3,5}\.?[-/]\d{2}"
)


class UnreadableSchedule(WrongValue):
    """The part of a schedule that cannot be parsed, and why."""


@dataclass(frozen=True, slots=True)
class Consultation:
    """Consecutive days, numbered from 1 for Monday, with one time range and one campus."""

    first: int
    last: int
    start: str
    end: str
    campus: str = ""

    def __str__(self) -> str:
        days = "-".join(dict.fromkeys((DAYS[self.first - 1], DAYS[self.last - 1])))
        return f"{days} {self.start}-{self.end}{'@' if self.campus else ''}{self.campus}"


class Slot(NamedTuple):
    """One consultation on one day, numbered from 1 for Monday."""

    day: int
    start: str
    end: str
    campus: str = ""


class _Token(NamedTuple):
    sign: str
    text: str
    value: str = ""


@lru_cache(maxsize=4_096)
def parse(schedule: str) -> tuple[Consultation, ...]:
    """Return the consultations of a schedule, in order.

    Excluded days apply to what is written before them; at the beginning, to everything.
    """
    found: list[Consultation] = []
    never: frozenset[int] = frozenset()
    for part in _parts(schedule):
        for consultations, without in _statements(part):
            if consultations:
                found += _except_on(without | never, consultations)
            elif found:
                found = list(_except_on(without, found))
            else:
                never |= without
    if not found and schedule.strip():
        raise UnreadableSchedule(
            _("“%(part)s” says only when there is no consultation: write when there is one."),
            schedule.strip(),
        )
    return tuple(found)


def days_without(schedule: str) -> frozenset[int]:
    """Return the days that a schedule excludes or calls closed."""
    statements = (each for part in _parts(schedule) for each in _statements(part))
    return frozenset(day for _found, without in statements for day in without)


def format_schedule(consultations: Iterable[Consultation]) -> str:
    """Format consultations as in packs: "ma-vr 9:00-12:00@sint-jan|za 9:00-11:00"."""
    return "|".join(map(str, consultations))


def normalised(schedule: str, language: str) -> str:
    """Normalise a schedule, written in a hospital's language, to the form in which it is stored."""
    return days_in(format_schedule(parse(whole_days(schedule, language))), language)


def whole_days(text: str, language: str) -> str:
    """Replace the two-letter day names of a language by whole names."""
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
    """Replace the day names of `DAYS` by the whole names of a language."""
    if language == OWN:
        return text
    return _WORD.sub(
        lambda word: day_name(DAYS.index(word[0]) + 1, language) if word[0] in DAYS else word[0],
        text,
    )


def slots(schedule: str) -> tuple[Slot, ...]:
    """Return the consultations day by day; parts that cannot be parsed are skipped."""
    return tuple(
        Slot(day, one.start, one.end, one.campus)
        for one in _readable(schedule)
        for day in range(one.first, one.last + 1)
    )


def campuses_of(schedule: str) -> tuple[str, ...]:
    """Return the distinct campus keys of a schedule."""
    return tuple(dict.fromkeys(one.campus for one in _readable(schedule) if one.campus))


def check_hours(hours: str) -> None:
    """Refuse opening hours that are a date or contain an impossible or unfinished time.

    Everything else is free text in the hospital's language, shown as written.
    """
    if _DATE.fullmatch(hours.strip()):
        raise UnreadableSchedule(
            _("“%(part)s” is a date that a spreadsheet made from 1-3: write 13:00-15:00."), hours
        )
    for clock in _EXACT.finditer(hours):
        _time_of(clock[0])
    for span in _SPAN.finditer(hours):
        start, end = _time_of(span[1]), _time_of(span[2]) if span[2] else ""
        if start == end or not end:
            raise UnreadableSchedule(
                _("“%(part)s”: until what time? Write for example 9:00-12:00."), span[0]
            )


def _readable(schedule: str) -> Iterator[Consultation]:
    try:
        yield from parse(schedule)
    except UnreadableSchedule:
        parts = tuple(_parts(schedule))
        for part in parts if len(parts) > 1 else ():
            yield from _readable(part)


def _parts(schedule: str) -> Iterator[str]:
    return filter(None, (part.strip() for part in _PARTS.split(schedule)))


def _except_on(
    excluded: frozenset[int], consultations: Iterable[Consultation]
) -> Iterator[Consultation]:
    """Yield consultations without the excluded days, split where days are no longer consecutive."""
    for one in consultations:
        days = [day for day in range(one.first, one.last + 1) if day not in excluded]
        for _gap, row in groupby(enumerate(days), key=lambda place: place[1] - place[0]):
            run = [day for _number, day in row]
            yield replace(one, first=run[0], last=run[-1])


def _statements(part: str) -> Iterator[tuple[list[Consultation], frozenset[int]]]:
    """Yield the consultations of each statement, and the days that it excludes."""
    tokens = [*_tokens(part)]
    signs, place = "".join(token.sign for token in tokens).rstrip(","), 0
    while place < len(signs):
        found = _STATEMENT.match(signs, place)
        if found is None:
            raise _refusal(part, tokens, len(signs) - len(signs[place:].lstrip(",")))
        place = found.end()
        spans = {name: tokens[slice(*found.span(name))] for name in found.groupdict()}
        excluded = (_rows(spans[name], part) for name in ("never", "closed", "without"))
        days = frozenset(d for rows in excluded for a, b in rows for d in range(a, b + 1))
        times = _times(spans["before"] or spans["after"])
        rows = [*_rows(spans["days"], part)]
        yield [Consultation(*row, *time) for time in times for row in rows], days


def _refusal(part: str, tokens: Sequence[_Token], place: int) -> UnreadableSchedule:
    """Return why no statement begins at a token."""
    first = tokens[place]
    if first.sign != "d":
        sentence = _(
            "“%(part)s” does not begin with a day, such as ma, maandag, ma-vr or weekdagen."
        )
        return UnreadableSchedule(sentence, first.text.strip())
    if all(token.sign != "c" for token in tokens[place:]):
        sentence = _("“%(part)s” has no time: write it like 9:00-12:00 or 13u30-17u.")
        return UnreadableSchedule(sentence, part)
    return UnreadableSchedule(_("“%(part)s”: until what time? Write for example 9:00-12:00."), part)


def _listed(tokens: Iterable[_Token]) -> Iterator[list[_Token]]:
    """Split tokens at what joins them."""
    return ([*run] for is_joint, run in groupby(tokens, lambda t: t.sign == ",") if not is_joint)


def _rows(tokens: Iterable[_Token], part: str) -> Iterator[tuple[int, int]]:
    """Yield the first and the last day of each row, such as "1-5" or "1" until "5"."""
    for row in _listed(tokens):
        first, last = row[0].value, row[-1].value[-1]
        if first[-1] > last:
            raise UnreadableSchedule(_("“%(part)s”: put the first day before the last."), part)
        yield int(first[0]), int(last)


def _times(tokens: Iterable[_Token]) -> list[tuple[str, str, str]]:
    """Return start, end and campus of each range; the last campus holds for those without one."""
    times = []
    for start, _until, end, *campus in _listed(tokens):
        if start.value.zfill(5) >= end.value.zfill(5):
            sentence = _("“%(part)s” ends before it starts.")
            raise UnreadableSchedule(sentence, f"{start.value}-{end.value}")
        times.append((start.value, end.value, campus[0].value if campus else ""))
    return [(start, end, campus or times[-1][2]) for start, end, campus in times]


def _time_of(clock: str) -> str:
    hour, minute = (*map(int, re.findall(r"\d+", clock)), 0)[:2]
    if minute > 59 or hour * 60 + minute > 24 * 60:
        raise UnreadableSchedule(
            _("“%(part)s” is not a time of day: write it like 9:00."), clock.strip()
        )
    return f"{hour}:{minute:02}"


def _tokens(part: str) -> Iterator[_Token]:
    """Split a part into tokens; refuse a word that the format does not have."""
    text, place = fold(part).replace("’", "'"), 0
    known, pattern = schedule_words()
    while place < len(text):
        if word := pattern.match(text, place):
            role, value = known[" ".join(word[0].split())]
            place = word.end()
            if role in _SIGNS:
                yield _Token(_SIGNS[role], word[0], value)
        elif token := _TOKEN.match(text, place):
            place = token.end()
            if token["campus"]:
                yield _Token("@", token[0], token["campus"])
            elif token["clock"]:
                yield _Token("c", token[0], _time_of(token[0]))
            elif token["mark"]:
                yield _Token("-" if token["mark"] in _DASHES else ",", token[0])
        else:
            rest = part[place:].split(maxsplit=1)[0] if len(text) == len(part) else part
            raise UnreadableSchedule(
                _(
                    "“%(part)s” cannot be read: write days, hours and the key of a campus, such as "
                    "ma-vr 9:00-12:00@noord."
                ),
                rest.strip(",.()"),
            )
