"""Check that the figures and days of a statement are in its lines, given by the visitor, or derived
from these."""

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
from chat.checking.knowledge import CONTRARY, LIMITS, CueWords, plain
from taxonomy.dates import reading
from taxonomy.dates.words import Calendar, DayWords
from zol.text import fold, words

#: Units of figures that an answer may repeat from the question, as a condition; "" counts things.
GIVEN = frozenset(
    {"", "year", "month", "week", "day", HOUR, "minute", "kg", "person", "metre", "km"}
)
#: Limiting words with another meaning: "voor 3 uur" is both "before three" and "for three hours".
ORDER = frozenset({"earlier", "later"})
HALF = 0.5
#: Maximum multiplier of a price.
MOST_THINGS = 60
#: Letters before a figure searched for a limiting word.
BEFORE = 26
#: Small numbers, often written as words that count named entities.
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
    """The unsupported figures, and whether a supported one is the visitor's or calculated."""

    invented: tuple[str, ...] = ()
    is_derived: bool = False


def grounds_of(cited: CitedClaim) -> Grounds:
    """Find the unsupported and derived figures of a statement, telephone numbers aside."""
    invented: list[str] = []
    is_derived = False
    for figure in cited.figures:
        is_ours = not figure.unit and bool(figure.readings & cited.known.hospital)
        if figure.unit == PHONE or figure.is_supported_by(*cited.line_figures) or is_ours:
            continue
        if _counts_named_entities(figure, cited):
            continue
        is_dose = figure.unit in cited.known.dose_units
        grounds = (_is_given, _is_derived, _counts_lines, _is_small_word, _is_calculated_date)
        if not is_dose and any(ground(figure, cited) for ground in grounds):
            is_derived = True
        elif not _is_in_date(figure, cited):
            invented.append(figure.written)
    return Grounds(tuple(invented), is_derived)


def have_units_of_lines(cited: CitedClaim) -> bool:
    """Return whether the lines have each figure with exactly the same unit."""
    known = {(read, each.unit) for each in cited.line_figures for read in each.readings}
    return all(
        figure.unit == PHONE or any((read, figure.unit) in known for read in figure.readings)
        for figure in cited.figures
    )


def _is_given(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a figure is in the current state, or is the visitor's and may be repeated."""
    if figure.unit not in GIVEN:
        return False
    if figure.is_supported_by(*cited.figures_in(cited.now)):
        return True
    given = (other for other in cited.asked_figures if other.unit in GIVEN)
    is_limit = limits_before(figure, cited.text, cited) - ORDER
    return figure.is_supported_by(*given) and not is_limit


def limits_before(
    figure: Figure, text: str, cited: CitedClaim, language: str = ""
) -> frozenset[str]:
    """Return the limiting words before a figure, such as "at most" and "until"."""
    at = text.find(figure.written)
    before = re.split(r"[.;:!?,]\s|\d", text[max(0, at - BEFORE) : at])[-1]
    return LIMITS.intersection(cited.known.qualifiers.targets(before, language or cited.language))


def _is_derived(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a figure is calculated from others, is "half past", or is part of a word."""
    if figure.unit in GIVEN and (_is_in_word(figure, cited) or _is_half_past(figure, cited)):
        return True
    if figure.unit not in {EURO, *DURATIONS}:
        return False
    pool = [each for each in (*cited.line_figures, *cited.asked_figures, *cited.figures)
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


def _is_in_word(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a number begins a word of the lines: "halfuur", "tienbeurtenkaart"."""
    for text, language in cited.line_texts:
        numbers = cited.known.figures.words.get(language, {}).items()
        same = tuple(word for word, number in numbers if amount(number) in figure.readings)
        if same and any(word.startswith(same) for word in words(text)):
            return True
    return False


def _is_half_past(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a figure is part of "half seven" or "six and a half", for 6:30 in a line."""
    if not any(HALF in each.numbers for each in cited.figures):
        return False
    halves = {value for each in cited.line_figures for value in each.numbers if value % 1 == HALF}
    near = {round(value + sign, 1) for value in halves for sign in (-HALF, HALF)}
    return any((value == HALF and halves) or value in near for value in figure.numbers)


def _is_in_date(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a figure is part of a date of its sources, in any notation."""
    dates, known, _ = _dates(figure, cited)
    return bool(dates) and known.issuperset(dates)


def _dates(figure: Figure, cited: CitedClaim) -> tuple[list[date], set[date], set[date]]:
    """Return the statement's dates that contain a figure, its sources' dates, and its others."""
    if figure.unit or not cited.asked.today:
        return [], set(), set()
    known = {moment.first for source in cited.sources for moment in _moments(*source, cited)}
    own = _moments(cited.text, cited.language, cited)
    dates = [moment.first for moment in own if figure.written in moment.text]
    return dates, known, {moment.first for moment in own if figure.written not in moment.text}


def _counts_lines(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a figure counts the cited lines: "two dermatologists"."""
    count = len(cited.lines)
    return count > 1 and figure.unit in {"", "person"} and str(count) in figure.readings


def _is_counting_word(figure: Figure) -> bool:
    """Return whether a figure is a small number as a word, such as "two"."""
    return figure.written.isalpha() and not figure.unit and not figure.readings.isdisjoint(FEW)


def _counts_named_entities(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a figure counts entities named in lines or question: "the two campuses"."""
    if not _is_counting_word(figure):
        return False
    campuses = cited.campuses_in(*(text for text, _ in cited.line_texts), *cited.asked.questions)
    kinds = Counter(key.partition(":")[0] for key in cited.named_in_lines | campuses)
    return any(str(count) in figure.readings for count in kinds.values())


def _is_small_word(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a small number counts items of lines that have no count: "entre les deux"."""
    counted = (value for each in cited.line_figures if not each.unit for value in each.numbers)
    return _is_counting_word(figure) and not any(value <= MOST_THINGS for value in counted)


def _is_calculated_date(figure: Figure, cited: CitedClaim) -> bool:
    """Return whether a date is as many days or weeks from a known date as the lines state."""
    dates, known, others = _dates(figure, cited)
    known |= others
    days = {value * DURATIONS[each.unit] / DURATIONS["day"] for each in cited.line_figures
            if each.unit in {"day", "week"} for value in each.numbers}  # fmt: skip
    # A date without a year is read as the next one, but the earlier date may be past.
    return bool(dates) and all(
        any(abs((each.replace(year=year) - other).days) in days for other in known)
        for each in dates
        for year in [min((other.year for other in known), default=each.year)]
    )


def _moments(text: str, language: str, cited: CitedClaim) -> tuple[reading.Moment, ...]:
    assert cited.asked.today is not None  # noqa: S101
    now = datetime.combine(cited.asked.today, time(12))
    return reading.read(text, language, now, cited.known.calendar)


def figures_stand(cited: CitedClaim) -> Fault | None:
    """Find the figures that have no support."""
    invented = grounds_of(cited).invented
    return Fault("figures", f"not in its lines: {', '.join(invented)}") if invented else None


def dose_is_shown(cited: CitedClaim) -> Fault | None:
    """Find a dose that is not printed verbatim."""
    doses = [each.written for each in cited.figures if each.unit in cited.known.dose_units]
    return Fault("dose", f"said, not shown: {doses[0]}") if doses else None


def limits_are_kept(cited: CitedClaim) -> Fault | None:
    """Find a figure whose limit contradicts that of its lines: "at most" for "at least"."""
    for figure in cited.figures:
        ours = limits_before(figure, cited.text, cited)
        if not ours:
            continue
        theirs: set[str] = set()
        for text, language in cited.line_texts:
            for other in cited.known.figures.read(text, language):
                if figure.is_supported_by(other):
                    theirs |= limits_before(other, text, cited, language)
        if any(excludes(ours, theirs, *pair) for pair in CONTRARY):
            return Fault("figures", f"limited otherwise: {figure.written}")
    return None


def excludes(ours: Iterable[str], theirs: Iterable[str], one: str, other: str) -> bool:
    """Return whether one of two opposite words is only in `ours`, the other only in `theirs`."""
    pair = {one, other}
    here, there = pair.intersection(ours), pair.intersection(theirs)
    return len(here) == 1 and len(there) == 1 and here != there


def weekdays_stand(cited: CitedClaim) -> Fault | None:
    """Find a weekday or a range of days that no source has, or a date with a wrong weekday."""
    runs = _runs_of_days(cited.text, cited.language, cited)
    if "daily" not in cited.known.days.targets(cited.text, cited.language):
        runs -= {EVERY_DAY}  # "24 uur", "day and night" name no day
    if not runs:
        return None
    known = {run for source in cited.sources for run in _runs_of_days(*source, cited)}
    every = frozenset().union(*known)
    if any(run not in known if len(run) in RANGE else not run <= every for run in runs):
        return Fault("figures", "another day of the week")
    if cited.asked.today and cited.figures:
        texts = {fold(text) for text, _ in cited.line_texts}
        for moment in _moments(cited.text, cited.language, cited):
            if moment.wrong_weekday and not any(fold(moment.text) in text for text in texts):
                return Fault("figures", f"no such date: {moment.text}")
    return None


def days_are_others(cited: CitedClaim) -> bool:
    """Return whether a statement names a weekday that is not among those of its lines."""
    theirs = frozenset().union(*(weekdays_in(*text, cited) for text in cited.line_texts))
    return bool(theirs) and not weekdays_in(cited.text, cited.language, cited) <= theirs


def weekdays_in(text: str, language: str, cited: CitedClaim) -> frozenset[int]:
    """Return the weekdays of a text, from 1."""
    return frozenset().union(*_runs_of_days(text, language, cited))


def _runs_of_days(text: str, language: str, cited: CitedClaim) -> frozenset[frozenset[int]]:
    return _runs(text, language, cited.known.days, cited.known.calendar)


@lru_cache(maxsize=8_192)
def _runs(
    text: str, language: str, cues: CueWords, calendar: Calendar
) -> frozenset[frozenset[int]]:
    """Return the weekdays of a text, singly or as ranges: "maandag tot vrijdag", "ma-vr 8:30"."""
    day_words = calendar.words.get(language, DayWords())
    phrases = [(each.span(), target) for target, each in cues.spans(plain(text), language)]
    found = {
        frozenset(WEEKDAYS[target])
        for span, target in phrases
        # "On weekdays" within "on weekdays and at weekends" is no range of its own.
        if target in WEEKDAYS and not any(_is_within(span, other) for other, _ in phrases)
    }
    if not day_words.weekend.isdisjoint(words(text)):
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
    found.update(_abbreviated(fold(text), day_words.weekdays))
    return frozenset(found)


def _is_within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def _abbreviated(text: str, days: Mapping[str, int]) -> Iterator[frozenset[int]]:
    """Yield abbreviated weekdays that precede hours, form a range, or stand in a list."""
    for short in _SHORT_DAYS.finditer(text):
        if begin := days.get(short[1]) or _begun(short[1], days):
            yield _days_between(begin, days.get(short[2] or "", begin))
    for pattern, is_range in ((_SHORT_RANGE, True), (_SHORT_LISTED, False)):
        for pair in pattern.finditer(text):
            if (first := days.get(pair[1])) and (last := days.get(pair[2])):
                one, other = frozenset({first}), frozenset({last})
                yield from [_days_between(first, last)] if is_range else [one, other]


def _begun(short: str, days: Mapping[str, int]) -> int | None:
    """Return the weekday whose name begins with an abbreviation of three letters or more."""
    known = (day for name, day in days.items() if len(short) > 2 and name.startswith(short))
    return next(known, None)


def _days_between(first: int, last: int) -> frozenset[int]:
    return frozenset((day - 1) % 7 + 1 for day in range(first, first + (last - first) % 7 + 1))
