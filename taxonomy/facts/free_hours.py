"""Parser of opening hours in sentences, and translation of the free hours that staff write.

"Open van maandag tot vrijdag van 8 tot 17 uur, zaterdag gesloten" becomes weekly hours. Days and
times are recognised by the vocabulary of dates, other words by that of schedules. A sentence is
parsed completely or not at all. Any words may precede the first day or time, but no number, ordinal
or month ("the first Monday"). An unknown word after it ("by appointment") may be a limitation, so
that the sentence is skipped.

Free hours of staff keep their wording; only days and usual words are translated.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from typing import Any

from taxonomy.dates.tokens import Token, tokens_of
from taxonomy.dates.words import WEAK, WEEKDAY, Calendar
from taxonomy.facts.hours import Hours, clock
from taxonomy.facts.phrases import day_name, schedule_words
from taxonomy.facts.schedules import DAYS, OWN, days_without
from zol.records.values import WrongValue
from zol.text import fold

#: Codes of dates that do not recur weekly.
ONCE = frozenset("MXYOHnclQE")
#: Units of intervals other than weekly.
LONG = frozenset({"week", "month", "year"})
#: Roles of words that begin a statement.
BEGINS = frozenset({"days", "without"})
#: Codes of fillers ("the", "on", "from"), and the schedule signs of other codes.
FILLERS = frozenset("fodk")
SIGNS = {"z": "-", "r": " ", "a": ",", ",": ","}
#: Maximum words before the first day or time.
MOST_BEFORE = 10
#: English times: "8.30 pm".
_ENGLISH = re.compile(r"\b(\d{1,2})(?:[.:](\d\d))?\s?([ap])\.?m\b\.?")
#: A Turkish "from" after a number or a day, and other endings of a number.
_FROM = re.compile(r"(?<=\d)'[dt][ae]n\b")
_ENDING = re.compile(r"(?<=\d)'[^\W\d]{1,3}\b")
_FROM_DAY = re.compile(r"[dt][ae]n$")
#: A time with a dot.
_DOTTED = re.compile(r"(?<![\d.,:])(\d{1,2})\.(\d\d)(?![\d.,:])")


@dataclass(frozen=True, slots=True)
class FreeHours:
    """Weekly hours of a sentence, and the days that it mentions, from 1, open or closed."""

    hours: Hours
    named: frozenset[int]


def read_hours(text: str, language: str, calendar: Calendar) -> FreeHours | None:
    """Return the hours of a sentence; None if it cannot be parsed completely."""
    words = calendar.words.get(language)
    if words is None or not re.search(r"\d", text):
        return None
    plain = _ENDING.sub("", _FROM.sub(" - ", fold(text).replace("\u2019", "'")))
    plain = _DOTTED.sub(r"\1:\2", _ENGLISH.sub(_in_full, plain))
    plain = _several().sub(_whole_days, plain)
    tokens = tokens_of(plain.rstrip(" ."), words)
    start = _start(tokens)
    if start is None:
        return None
    schedule = " ".join(_as_schedule(tokens[start:], language))
    try:
        hours = Hours.parse({"week": schedule})
    except WrongValue:
        return None
    closed = days_without(schedule)
    opened = {day for day, spans in enumerate(hours.week, start=1) if spans}
    return FreeHours(hours, frozenset(opened | closed))


def _in_full(time: re.Match[str]) -> str:
    """Convert an English time to 24 hours."""
    return f"{int(time[1]) % 12 + 12 * (time[3] == 'p')}:{time[2] or '00'}"


@cache
def _several() -> re.Pattern[str]:
    """Compile a pattern for words that mean several days: "weekdagen", "tous les jours"."""
    known, _ = schedule_words()
    several = (word for word, (role, days) in known.items() if role == "days" and "-" in days)
    either = "|".join(re.escape(each) for each in sorted(several, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _whole_days(word: re.Match[str]) -> str:
    """Replace a word for several days by the names of the first and last."""
    days = schedule_words()[0][word[0]][1].split("-")
    return "-".join(day_name(int(day), OWN) for day in days)


def _start(tokens: Sequence[Token]) -> int | None:
    """Return the position of the first day or time; None if the hours do not recur weekly."""
    known, _ = schedule_words()
    begins = (
        at
        for at, token in enumerate(tokens)
        if "C" in token.means
        or _day(token)
        or known.get(token.text, ("",))[0] in BEGINS
        or ("N" in token.means and tokens[at + 1 : at + 2] and "z" in tokens[at + 1].means)
    )
    start = next(begins, None)
    if start is None or start > MOST_BEFORE * 2:
        return None
    for at, token in enumerate(tokens):
        is_time = "C" in token.means or _day(token) or token.text in known
        is_counted = token.means.get("U") in LONG or bool({"N", "R"} & token.means.keys())
        is_limit = is_counted and at < start and "1" not in token.means
        if is_limit or (not is_time and ONCE & token.means.keys()):
            return None
    return start


def _day(token: Token) -> int:
    means = token.means
    is_weak = WEAK in means and "A" not in means and len(token.text) > 1
    day: int = means.get(WEEKDAY) or (means[WEAK] if is_weak else 0) or 0
    return day


def _as_schedule(tokens: Sequence[Token], language: str) -> Iterator[str]:
    """Yield tokens in the form of a schedule: "between 9 and 5" becomes "9 - 5"."""
    is_between = False
    for token in tokens:
        is_until = is_between and "a" in token.means
        yield "-" if is_until else _written(token, language)
        is_between = not is_until and (is_between or "r" in token.means)


def _written(token: Token, language: str) -> str:
    means = token.means
    if day := _day(token):
        return DAYS[day - 1] + " -" * (language == "tr" and bool(_FROM_DAY.search(token.text)))
    if "C" in means:
        return clock(means["C"])
    if token.text in schedule_words()[0]:
        return token.text
    if sign := next((SIGNS[code] for code in SIGNS if code in means), ""):
        return sign.strip()
    is_idle = bool(FILLERS & means.keys()) or token.text.strip() == ":"
    return "" if is_idle else str(means.get("N", token.text))


#: Kind of the cues for words of hours ("daily"). Translations use those with a weight over 1.
DAY_WORD = "weekday"
#: Meanings of words that may replace the times of a day.
STATES = frozenset({"closed", "by_appointment"})
_LETTERS = re.compile(r"[^\W\d_]+")
#: What may separate two days: "lu-ve", "ma et je", "ma tot en met vr", "ma, je".
_BETWEEN = re.compile(r"\.?\s*(?:[-\u2013\u2014/&+,]\s*|\s(?:[\w/]+\s+){0,3})")
#: What may follow the last day: a time, or the end of a part.
_AFTER = re.compile(r"\.?\s*(?::?\s*\d|[:,;|)]|$)")

#: Dutch and French times, "8u30", "8h-17h" (but not "24h/24", "48u vooraf"), and the meaning of the
#: cue for their sign.
HOUR = "hour"
_RANGE = (
    r"(?!\w)(?:(?=\s?[-\u2013\u2014]\s?\d)|(?<=[-\u2013\u2014]\d[uh])|(?<=[-\u2013\u2014]\d\d[uh]))"
)
_HOUR = re.compile(rf"\b(\d{{1,2}})\s?[uh](?:(\d\d)\b|{_RANGE})")
#: The dot of an abbreviation ("lun.") within the text.
_DOT = re.compile(r"\.(?!$)")


@dataclass(frozen=True, slots=True)
class DayNames:
    """Names of weekdays and other words of opening hours, by language."""

    #: By language, the days of folded words, from 1 for Monday.
    names: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: By language, the meanings of other words, longest first; and the usual word of each meaning.
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    usual: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def translate(self, hours: str, language: str, to: str) -> str:
        """Translate hours: "lu-ve 8h30" becomes "maandag-vrijdag 8:30".

        Text that is not a day or a known word is kept.
        """
        for word, day in reversed([*self._days_in(hours, language)]):
            end = (_DOT.match(hours, word.end()) or word).end()
            hours = f"{hours[: word.start()]}{day_name(day, to)}{hours[end:]}"
        if to == language:
            return hours
        known, usual = self.words.get(language, {}), self.usual.get(to, {})
        either = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, known))})(?!\w)", re.IGNORECASE)
        hours = either.sub(lambda each: usual.get(known.get(each[0].lower(), ""), each[0]), hours)
        sign, whole = usual.get(HOUR, ":"), "" if HOUR in usual else "00"
        return _HOUR.sub(lambda time: f"{time[1]}{sign}{time[2] or whole}", hours)

    def _days_in(self, hours: str, language: str) -> Iterator[tuple[re.Match[str], int]]:
        """Yield words in the position of a day: before another day, a time, an end or a state ("di
        fermé")."""
        known, others = self.names.get(language, {}), self.words.get(language, {})
        states = tuple(text for text, means in others.items() if means in STATES)
        words = [word for word in _LETTERS.finditer(hours) if fold(word[0]) in known]
        for word, following in zip_longest(words, words[1:]):
            gap = hours[word.end() : following.start()] if following else ""
            rest = hours[word.end() :].lstrip(" .").lower()
            is_before = _AFTER.match(hours, word.end()) or rest.startswith(states)
            if (following and _BETWEEN.fullmatch(gap)) or is_before:
                yield word, known[fold(word[0])]


def day_names(calendar: Calendar, rows: Iterable[Mapping[str, Any]]) -> DayNames:
    """Build `DayNames` from a calendar and the rows of cues."""
    names = {code: words.weekdays for code, words in calendar.words.items()}
    words, usual = (defaultdict[str, dict[str, Any]](dict) for _ in range(2))
    for row in sorted(rows, key=lambda row: (-len(row["text"]), float(row["weight"]))):
        code, text, target = row["language"], row["text"], row["target"]
        if row["kind"] == DAY_WORD and not target.isdigit():
            words[code][text.lower()] = target
            if float(row["weight"]) > 1:
                usual[code][target] = text
    return DayNames(names, words, usual)
