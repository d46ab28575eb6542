"""Check figures and days of a statement: in its lines, given by the visitor, or derived from
both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache
from itertools import pairwise, product

from chat.checking.base import CitedClaim, Fault
from chat.checking.figures import DURATIONS, EURO, HOUR, PHONE, Figure, amount
from chat.checking.knowledge import CONTRARY, LIMITS, CueWords
from taxonomy.dates import reading
from taxonomy.dates.words import Calendar, DayWords
from zol.text import fold, words

#: Units that a visitor may state and an answer repeat as a condition; "" counts things.
GIVEN = frozenset(
    {"", "year", "month", "week", "day", HOUR, "minute", "kg", "person", "metre", "km"}
)
#: "voor 3 uur" is for three hours too.
ORDER = frozenset({"earlier", "later"})
HALF = 0.5
#: Maximum multiplier of a price.
MOST_THINGS = 60
#: Letters before a figure searched for a limiting word.
BEFORE = 26
#: Small numbers, often written as words for named things.
FEW = frozenset({"1", "2", "3"})
WEEKDAYS = {"daily": range(1, 8), "weekdays": range(1, 6), "day_and_night": range(1, 8)}
EVERY_DAY = frozenset(range(1, 8))
#: Lengths of day ranges that must match a line's; two days, or all, may be listed singly.
RANGE = range(3, 7)
#: Maximum letters between the first and last day of a range.
FARTHEST = 34
_SHORT_DAYS = re.compile(
    r"(?<!\w)([^\W\d_]{2,4})\.?(?:\s?[-–]\s?([^\W\d_]{2,4})\.?)?:?\s?(?=\d|-\s)"
)
#: A range of abbreviations that no hours follow: "lu-ve, toutes les 30 minutes".
_SHORT_RANGE = re.compile(r"(?<!\w)([^\W\d_]{2,4})\.?\s?[-–]\s?([^\W\d_]{2,4})\.?(?!\w)")
#: The first of two abbreviations in a list: "ma, ve 9h00-12h30".
_SHORT_LISTED = re.compile(
    r"(?<!\w)([^\W\d_]{2,3})\.?\s?[,/&+]\s?(?=([^\W\d_]{2,3})\.?(?:\s?[-–,/&+]|\s?\d|\s*$))"
)


@dataclass(frozen=True, slots=True)
class Grounds:
    """Unsupported figures, and whether others rest on the visitor's words or a calculation."""

    invented: tuple[str, ...] = ()
    is_derived: bool = False


def grounds_of(said: CitedClaim) -> Grounds:
    """Find the unsupported and derived figures of a statement, telephone numbers aside."""
    invented: list[str] = []
    is_derived = False
    for figure in said.figures:
        is_ours = not figure.unit and bool(figure.readings & said.known.hospital)
        if figure.unit == PHONE or _stands(figure, said.line_figures) or is_ours:
            continue
        if _counts_what_is_named(figure, said):
            continue
        is_dose = figure.unit in said.known.dose_units
        ways = (_is_given, _is_derived, _is_count_of_lines, _is_small_word, _is_reckoned_date)
        if not is_dose and any(way(figure, said) for way in ways):
            is_derived = True
        elif not _is_in_date(figure, said):
            invented.append(figure.written)
    return Grounds(tuple(invented), is_derived)


def _stands(figure: Figure, others: Iterable[Figure]) -> bool:
    return any(figure.is_borne_by(other) for other in others)


def are_counted_alike(said: CitedClaim) -> bool:
    """Return whether the lines count the same things with each figure."""
    told = {(read, each.unit) for each in said.line_figures for read in each.readings}
    return all(
        figure.unit == PHONE or any((read, figure.unit) in told for read in figure.readings)
        for figure in said.figures
    )


def _is_given(figure: Figure, said: CitedClaim) -> bool:
    """Return whether the visitor gave a figure that may be repeated, or the moment has it."""
    if figure.unit not in GIVEN:
        return False
    if _stands(figure, said.figures_in(said.now)):
        return True
    given = (other for other in said.asked_figures if other.unit in GIVEN)
    is_limit = limits_before(figure, said.text, said) - ORDER
    return _stands(figure, given) and not is_limit


def limits_before(
    figure: Figure, text: str, said: CitedClaim, language: str = ""
) -> frozenset[str]:
    """Return the limiting words before a figure, such as "at most" and "until"."""
    at = text.find(figure.written)
    before = re.split(r"[.;:!?,]\s|\d", text[max(0, at - BEFORE) : at])[-1]
    return LIMITS.intersection(said.known.qualifiers.targets(before, language or said.language))


def _is_derived(figure: Figure, said: CitedClaim) -> bool:
    """Return whether a figure is derived from others in the statement, its lines or the question: a
    sum, a difference, a price times a count, a conversion, "half past"; or part of a word there."""
    if figure.unit in GIVEN and (_is_in_word(figure, said) or _is_half_past(figure, said)):
        return True
    if figure.unit not in {EURO, *DURATIONS}:
        return False
    pool = [each for each in (*said.line_figures, *said.asked_figures, *said.figures)
            if each is not figure]  # fmt: skip
    same = [value for each in pool if each.unit == figure.unit for value in each.numbers]
    found = {total for a, b in product(same, same) for total in (a + b, abs(a - b))}
    if figure.unit == EURO:
        counts = (value for each in pool if each.unit != EURO for value in each.numbers)
        whole = {value for value in counts if value <= MOST_THINGS and value == int(value)}
        found |= {price * count for price, count in product(same, whole)}
    else:
        lasting = {value * DURATIONS[each.unit] for each in pool if each.unit in DURATIONS
                   for value in each.numbers}  # fmt: skip
        size = DURATIONS[figure.unit]
        found |= {value * DURATIONS[each.unit] / size for each in pool
                  if each.unit in DURATIONS and each.unit != figure.unit
                  for value in each.numbers}  # fmt: skip
        if figure.unit == HOUR:
            found |= {t for a, b in product(same, lasting) for t in (a + b / size, a - b / size)}
    wanted = {round(value, 2) for value in figure.numbers}
    return not wanted.isdisjoint(round(value, 2) for value in found)


def _is_in_word(figure: Figure, said: CitedClaim) -> bool:
    """Return whether a number begins a word of the lines: "halfuur", "tienbeurtenkaart"."""
    for text, language in said.told:
        numbers = said.known.figures.words.get(language, {}).items()
        same = tuple(word for word, number in numbers if amount(number) in figure.readings)
        if same and any(word.startswith(same) for word in words(text)):
            return True
    return False


def _is_half_past(figure: Figure, said: CitedClaim) -> bool:
    """Return whether it is part of "half seven" or "six and a half" where a line has 6:30."""
    if not any(HALF in each.numbers for each in said.figures):
        return False
    halves = {value for each in said.line_figures for value in each.numbers if value % 1 == HALF}
    near = {round(value + way, 1) for value in halves for way in (-HALF, HALF)}
    return any((value == HALF and halves) or value in near for value in figure.numbers)


def _is_in_date(figure: Figure, said: CitedClaim) -> bool:
    """Return whether a figure is part of a date of its sources, in any notation."""
    dates, known, _ = _dates(figure, said)
    return bool(dates) and known.issuperset(dates)


def _dates(figure: Figure, said: CitedClaim) -> tuple[list[date], set[date], set[date]]:
    """Return the dates of a statement that have a figure, those of its sources, and its others."""
    if figure.unit or not said.asked.today:
        return [], set(), set()
    known = {moment.first for source in said.sources for moment in _moments(*source, said)}
    own = _moments(said.text, said.language, said)
    dates = [moment.first for moment in own if figure.written in moment.text]
    return dates, known, {moment.first for moment in own if figure.written not in moment.text}


def _is_count_of_lines(figure: Figure, said: CitedClaim) -> bool:
    """Return whether it counts the cited lines: "two dermatologists"."""
    count = len(said.lines)
    return count > 1 and figure.unit in {"", "person"} and str(count) in figure.readings


def _is_word_of_count(figure: Figure) -> bool:
    """Return whether it is a counting word such as "two"."""
    return figure.written.isalpha() and not figure.unit and not figure.readings.isdisjoint(FEW)


def _counts_what_is_named(figure: Figure, said: CitedClaim) -> bool:
    """Return whether "the two campuses" counts those that the lines or the visitor name."""
    if not _is_word_of_count(figure):
        return False
    campuses = said.campuses_in(*(text for text, _ in said.told), *said.asked.told)
    kinds = Counter(key.partition(":")[0] for key in said.named_above | campuses)
    return any(str(count) in figure.readings for count in kinds.values())


def _is_small_word(figure: Figure, said: CitedClaim) -> bool:
    """Return whether it counts what its lines list without any count: "entre les deux"."""
    counted = (value for each in said.line_figures if not each.unit for value in each.numbers)
    return _is_word_of_count(figure) and not any(value <= MOST_THINGS for value in counted)


def _is_reckoned_date(figure: Figure, said: CitedClaim) -> bool:
    """Return whether it is a date some days or weeks from a known one, as its lines state."""
    dates, known, others = _dates(figure, said)
    known |= others
    days = {value * DURATIONS[each.unit] / DURATIONS["day"] for each in said.line_figures
            if each.unit in {"day", "week"} for value in each.numbers}  # fmt: skip
    # A date without a year is read as the next one, but the earlier date may be past.
    return bool(dates) and all(
        any(abs((each.replace(year=year) - other).days) in days for other in known)
        for each in dates
        for year in [min((other.year for other in known), default=each.year)]
    )


def _moments(text: str, language: str, said: CitedClaim) -> tuple[reading.Moment, ...]:
    assert said.asked.today is not None  # noqa: S101
    now = datetime.combine(said.asked.today, time(12))
    return reading.read(text, language, now, said.known.calendar)


def figures_stand(said: CitedClaim) -> Fault | None:
    """Find an unsupported figure."""
    invented = grounds_of(said).invented
    return Fault("figures", f"not in its lines: {', '.join(invented)}") if invented else None


def dose_is_shown(said: CitedClaim) -> Fault | None:
    """Find a dose that is not printed verbatim."""
    doses = [each.written for each in said.figures if each.unit in said.known.dose_units]
    return Fault("dose", f"said, not shown: {doses[0]}") if doses else None


def limits_are_kept(said: CitedClaim) -> Fault | None:
    """Find contradictory limits of a figure: "at most" for "at least"."""
    for figure in said.figures:
        ours = limits_before(figure, said.text, said)
        if not ours:
            continue
        theirs: set[str] = set()
        for text, language in said.told:
            for other in said.known.figures.read(text, language):
                if figure.is_borne_by(other):
                    theirs |= limits_before(other, text, said, language)
        if any(excludes(ours, theirs, *pair) for pair in CONTRARY):
            return Fault("figures", f"limited otherwise: {figure.written}")
    return None


def excludes(ours: Iterable[str], theirs: Iterable[str], one: str, other: str) -> bool:
    """Return whether one of two opposite words is only here and the other only there."""
    pair = {one, other}
    here, there = pair.intersection(ours), pair.intersection(theirs)
    return len(here) == 1 and len(there) == 1 and here != there


def weekdays_stand(said: CitedClaim) -> Fault | None:
    """Find a weekday or range that no source has, and one that is not of its date."""
    runs = _runs_of_days(said.text, said.language, said)
    if "daily" not in said.known.days.targets(said.text, said.language):
        runs -= {EVERY_DAY}  # "24 uur", "day and night" name no day
    if not runs:
        return None
    known = {run for source in said.sources for run in _runs_of_days(*source, said)}
    every = frozenset().union(*known)
    if any(run not in known if len(run) in RANGE else not run <= every for run in runs):
        return Fault("figures", "another day of the week")
    if said.asked.today and said.figures:
        told = {fold(text) for text, _ in said.told}
        for moment in _moments(said.text, said.language, said):
            if moment.wrong_weekday and not any(fold(moment.text) in text for text in told):
                return Fault("figures", f"no such date: {moment.text}")
    return None


def days_are_others(said: CitedClaim) -> bool:
    """Return whether it names another weekday than its lines, which name some."""
    theirs = frozenset().union(*(weekdays_in(*told, said) for told in said.told))
    return bool(theirs) and not weekdays_in(said.text, said.language, said) <= theirs


def weekdays_in(text: str, language: str, said: CitedClaim) -> frozenset[int]:
    """Return the weekdays of a text, from 1."""
    return frozenset().union(*_runs_of_days(text, language, said))


def _runs_of_days(text: str, language: str, said: CitedClaim) -> frozenset[frozenset[int]]:
    return _runs(text, language, said.known.days, said.known.calendar)


@lru_cache(maxsize=8_192)
def _runs(
    text: str, language: str, cues: CueWords, calendar: Calendar
) -> frozenset[frozenset[int]]:
    """Return the weekdays of a text, singly or as ranges: "maandag tot vrijdag", "ma-vr 8:30"."""
    spoken = calendar.words.get(language, DayWords())
    targets = cues.targets(text, language)
    found = {frozenset(WEEKDAYS[target]) for target in targets if target in WEEKDAYS}
    if not spoken.weekend.isdisjoint(words(text)):
        found.add(frozenset({6, 7}))
    named = reading.weekdays(text, language, calendar)
    inside: set[int] = set()
    for at, ((start, first), (end, last)) in enumerate(pairwise(named)):
        between = text[start:end].partition(" ")[2]
        is_joined = not {"and", "or"}.isdisjoint(cues.targets(between, language))
        is_apart = bool(re.search("[,;:.?!]", between)) or is_joined
        if not is_apart and end - start < FARTHEST:
            found.add(_days_between(first, last))
            inside |= {at, at + 1}
    found |= {frozenset({day}) for at, (_, day) in enumerate(named) if at not in inside}
    found.update(_abbreviated(fold(text), spoken.weekdays))
    return frozenset(found)


def _abbreviated(text: str, days: Mapping[str, int]) -> Iterator[frozenset[int]]:
    """Yield the weekdays of abbreviations: before hours, as a range, in a list."""
    for short in _SHORT_DAYS.finditer(text):
        if begin := days.get(short[1]) or _begun(short[1], days):
            yield _days_between(begin, days.get(short[2] or "", begin))
    for pattern, is_range in ((_SHORT_RANGE, True), (_SHORT_LISTED, False)):
        for pair in pattern.finditer(text):
            if (first := days.get(pair[1])) and (last := days.get(pair[2])):
                one, other = frozenset({first}), frozenset({last})
                yield from [_days_between(first, last)] if is_range else [one, other]


def _begun(short: str, days: Mapping[str, int]) -> int | None:
    """Return the weekday that an abbreviation before a dash begins."""
    known = (day for name, day in days.items() if len(short) > 2 and name.startswith(short))
    return next(known, None)


def _days_between(first: int, last: int) -> frozenset[int]:
    return frozenset((day - 1) % 7 + 1 for day in range(first, first + (last - first) % 7 + 1))
