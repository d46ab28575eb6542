"""Grammar of days: "volgende week vrijdag", "mardi en huit", "am 25. Dezember um 10 Uhr".

A text becomes a sequence of tokens, each with a code letter for every possible meaning
(`words.CODES`). A rule is a pattern of code letters; at each position the longest match wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from dateutil.relativedelta import relativedelta
from dateutil.relativedelta import weekday as nth_weekday

from taxonomy.dates.tokens import FILLERS, Token, letters, pattern, tokens_of
from taxonomy.dates.words import Calendar, DayWords, day_called, holiday_name, is_holiday

DAY, WEEK = timedelta(days=1), timedelta(days=7)
#: Languages in which "next Friday" is in the next week; in others it is the first after today.
OF_NEXT_WEEK = frozenset({"nl", "de", "en", "tr"})
#: Languages in which the month may precede the day: "December 25", "Aralık'ın 25'i".
MONTH_FIRST = frozenset({"en", "tr"})
#: Languages that have no article before a title with a name.
ARTICLES = frozenset({"nl", "en"})
#: Number of years in which to search for a date without a year.
AHEAD = 9
#: Days in which to search for a past date by its weekday: "vrijdag 27 november".
HALF_YEAR = 183
FRACTIONS = frozenset({"1/2", "1/3", "1/4", "2/3", "3/4"})
NOON = 12 * 60
#: Any date, for parsing weekdays only.
SOME_DAY = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Moment:
    """A day or period that a text names."""

    first: date
    last: date
    #: Its words in the text, and their position.
    text: str = ""
    place: tuple[int, int] = (0, 0)
    #: Start and end in minutes since midnight of the first and last day.
    start: int | None = None
    end: int | None = None
    #: The other possible meaning: "next Friday" a week sooner or later.
    other: tuple[date, date] | None = None
    #: The weekday in the text, from 1, if the date falls on another one.
    wrong_weekday: int | None = None
    is_now: bool = False

    @property
    def days(self) -> tuple[date, ...]:
        """Its first seven days at most, and those of the other meaning."""
        found: list[date] = []
        for first, last in ((self.first, self.last), *([self.other] if self.other else ())):
            found += [first + DAY * ahead for ahead in range(min((last - first).days + 1, 7))]
        return tuple(dict.fromkeys(found))


def holiday(day: date, calendar: Calendar, language: str) -> str:
    """Return the name of a public holiday in a language; empty for other days."""
    if not is_holiday(day, calendar.country):
        return ""
    name = holiday_name(day, calendar.country, language) or day_name_of(day, calendar, language)
    return name or holiday_name(day, calendar.country, "en")


def day_name_of(day: date, calendar: Calendar, language: str) -> str:
    """Return the configured name of a day, holiday or not ("Christmas Eve"); else empty."""
    names = calendar.names.get(language, {}).items()
    return next((name for rule, name in names if day_called(rule, day.year) == day), "")


@dataclass(frozen=True, slots=True)
class _RuleMatch:
    """A range of tokens that matches a rule."""

    rule: Callable[[_RuleMatch, date], Moment | None]
    tokens: Sequence[Token]
    start: int
    end: int
    words: DayWords
    calendar: Calendar

    def on(self, today: date) -> Moment | None:
        return self.rule(self, today)

    def means(self, place: int) -> Mapping[str, Any]:
        """Return the possible meanings of a token; beyond the text, those of a full stop."""
        return self.tokens[place].means if 0 <= place < len(self.tokens) else {";": ""}

    def get(self, codes: str) -> Any:
        """Return the value of the first token with one of some codes."""
        means = [token.means for token in self.tokens[self.start : self.end]]
        return next((each[c] for each in means for c in codes if c in each), None)

    def first_of(self, codes: str) -> str:
        """Return the first of some codes that a token has."""
        return next((code for code in codes if self.get(code) is not None), "")

    def is_followed_by(self, codes: str) -> bool:
        return not self.means(self.end).keys().isdisjoint(codes)

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens[self.start : self.end])


_Rule = Callable[[_RuleMatch, date], Moment | None]
_RULES: list[tuple[re.Pattern[str], _Rule]] = []
#: The value of expressions that are no day: "3 weken oud", "om 15 uur", "dokter Vrijdag".
NO_DAY = Moment(date.min, date.min)


def _rule(*patterns: str) -> Callable[[_Rule], _Rule]:
    def keep(rule: _Rule) -> _Rule:
        _RULES.extend((pattern(each), rule) for each in patterns)
        return rule

    return keep


def _on(day: date, **more: Any) -> Moment:
    return Moment(day, day, **more)


def _span(first: date, days: int) -> Moment:
    return Moment(first, first + DAY * (days - 1))


def _weekday(day: date, weekday: int) -> date:
    """Return the first such weekday from a day on."""
    return day + DAY * ((weekday - day.isoweekday()) % 7)


def _monday(day: date) -> date:
    return day - DAY * (day.isoweekday() - 1)


def _next_date(
    today: date, day: int, month: int | None = None, year: int | None = None
) -> date | None:
    """Return the next date with this day of a month; with a year, the date in that year."""
    for count in range(today.month - 1, today.month - 1 + 12 * AHEAD):
        try:
            found = date(year or today.year + count // 12, count % 12 + 1, day)
        except ValueError:
            continue
        if month in (None, found.month) and (year or found >= today):
            return found
    return None


def _last_date(today: date, day: int, month: int, weekday: int) -> date | None:
    """Return the date in the last half year with this day, month and weekday."""
    days = (today - DAY * back for back in range(1, HALF_YEAR))
    return next(
        (d for d in days if (d.day, d.month, d.isoweekday()) == (day, month, weekday)), None
    )


def _day_before(day: date, number: int) -> date:
    """Return the last date up to a day with this day of the month."""
    return next((d for back in range(62) if (d := day - DAY * back).day == number), day)


def _month(day: date) -> Moment:
    return Moment(day.replace(day=1), day + relativedelta(day=31))


@_rule(
    "([Wv].*)?X", "X.*W", "(([tcnly].*)?[Wv].*)?[NO].*M(.*Y)?", "[NO].*MY?.*W",
    "([Wv].*)?M.*[NO](.*Y)?",
)  # fmt: skip
def _date(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "25 december", "25/12/2026", "vrijdag 25 december"; the date overrides the weekday."""
    day, month, year = match.get("X") or (match.get("NO"), match.get("M"), match.get("Y"))
    if match.text in FRACTIONS and match.means(match.start - 1).keys().isdisjoint("odk"):
        return None
    order = [
        c for token in match.tokens[match.start : match.end] for c in token.means if c in "NOM"
    ]
    if order[:1] == ["M"] and (
        match.words.language not in MONTH_FIRST or not (_ends(match) or match.first_of("OY"))
    ):
        return None
    found, weekday = _next_date(today, day, month, year), match.get("Wv")
    if found is None:
        return None
    is_wrong = weekday not in (None, found.isoweekday())
    if is_wrong and not year and (past := _last_date(today, day, month, weekday)):
        return _on(past)
    return _on(found, wrong_weekday=weekday if is_wrong else None)


@_rule(
    "R.*M(.*Y)?", "M.*R(.*Y)?", "M.*[NO]z.*[NO](.*Y)?", "[NO].*[za]+.*[NO].*M(.*Y)?",
    "[NO].*[za]+.*X", "d[NO].*z.*[NO]", "[of]+O.*z.*O", "G.*[NO].*M(.*Y)?",
)  # fmt: skip
def _dates_of_month(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "24-26 december", "van 24 tot 26 december", "vom 26. bis 30.10.", "du 5 au 9"."""
    tokens = [token.means for token in match.tokens[match.start : match.end]]
    first, *last = match.get("R") or [m[c] for m in tokens for c in "NO" if c in m]
    day, month, year = match.get("X") or (last[-1], match.get("M"), match.get("Y"))
    if "X" in match.means(match.end - 1) and "C" in match.means(match.end - 1):
        return None  # "Von 8 bis 11.30 Uhr".
    if month is None and not (_ends(match) and re.search(r"\d.*\d", match.text)):
        return None
    end = _next_date(today, day, month, year)
    return Moment(_day_before(end, first), end) if end else None


@_rule("[Wv].*[NO]j?", "[NO].*j", "j[NO]f*", "k[NO].*j", "d[NO]", "t?[of]+O", "G")
def _day_of_month(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "de 15de", "le 15", "woensdag de 23ste", "στις 15 του μήνα"."""
    weekday, day, is_sure = match.get("Wv"), match.get("NO"), match.get("O") is not None
    if match.first_of("jG") == "" and not _is_bare_day(match, day, is_sure=is_sure):
        return None
    if weekday and not is_sure and match.get("k") is not None:
        return None
    found = _next_date(today, day)
    if found is None or not weekday or weekday == found.isoweekday():
        return _on(found) if found else None
    if not is_sure:
        return _on(_weekday(today, weekday))
    later = _next_date(found + DAY, day)
    agrees = later is not None and later.isoweekday() == weekday
    return _on(later) if agrees and later else _on(found, wrong_weekday=weekday)


def _is_bare_day(match: _RuleMatch, day: int, *, is_sure: bool) -> bool:
    """Return whether a number is a day ("le 25 je …") and no time ("στις 10 είναι ανοιχτά")."""
    after = match.means(match.end).keys() | match.means(match.end + 1).keys()
    if not _ends(match) or match.is_followed_by("Uh"):
        return False
    if match.get("Wv"):
        return True
    is_dated = "P" in after or not match.means(match.start - 1).keys().isdisjoint("MXWDY")
    is_time = not is_sure and match.get("k") is not None and day <= (24 if is_dated else 12)
    return not is_time and ("C" in after or not match.is_followed_by("zafmWj"))


def _ends(match: _RuleMatch) -> bool:
    """Return whether no noun follows that the number counts ("de 2de verdieping").

    After a number in words more words count as nouns: "the second is cheaper".
    """
    is_word = "O" in match.means(match.end - 1) and not re.search(r"\d", match.text)
    return match.is_followed_by(";,pPCkzaofiwsxhWDj" + ("" if is_word else "A1"))


@_rule("H(.*Y)?")
def _holiday(match: _RuleMatch, today: date) -> Moment | None:
    rule, year = match.get("H"), match.get("Y")
    for each in (year,) if year else range(today.year, today.year + AHEAD):
        day = day_called(rule, each, match.calendar.country)
        if day and (year or day >= today):
            return _on(day)
    return None


@_rule("[Ol].*W.*M(.*Y)?", "M(.*Y)?f*[Ol]W", "[Ol].*W.*[tcn]U")
def _nth_weekday(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "the first Monday of March", "der letzte Freitag im Januar", "… of next month"."""
    nth, month, year = (match.get(code) for code in "OMY")
    if month is None and match.get("U") != "month":
        return None
    weekday = nth_weekday(match.get("W") - 1, -1 if nth is None else int(nth))
    in_month = relativedelta(day=31 if nth is None else 1, weekday=weekday)
    if month is None:
        return _on(today + relativedelta(months=0 if match.first_of("t") else 1) + in_month)
    found: date = date(year or today.year, month, 1) + in_month
    return _on(found if year or found >= today else date(today.year + 1, month, 1) + in_month)


@_rule("[NO].*[tcn].*U", "[NO].*U.*[tcn]", "[NO].*j[tcn]")
def _day_of_next_month(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "de 20ste van volgende maand"."""
    if match.get("U") not in (None, "month"):
        return None
    first = today.replace(day=1) + relativedelta(months=0 if match.first_of("t") else 1)
    found = _next_date(first, match.get("NO"))
    return _on(found) if found else None


@_rule("[cnl]f?NU", "NU[cnl]", "N[cnl]U")
def _next_days(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "de komende drie dagen"."""
    days = match.get("N") * {"day": 1, "week": 7}.get(match.get("U"), 0)
    if not days:
        return None
    return _span(today - DAY * days if match.first_of("l") else today + DAY, days)


#: Offsets in weeks by code.
_WEEKS = {"n": 1, "c": 1, "l": -1, "t": 0, "y": 2}


@_rule("[tcnly][f,1c]*W", "W[f,]*[cntly]", "[cny]v", "v[cny]")
def _next_weekday(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "next Friday", "vendredi prochain", "this Friday", "last Friday"."""
    weekday, kind = match.get("Wv"), match.first_of("ycnlt")
    if match.get("W") is None and not _is_long(match):
        return None
    if kind == "t":
        return _on(_weekday(today, weekday))
    if kind == "l":
        return _on(_weekday(today - WEEK, weekday))
    first = _weekday(today + DAY, weekday)
    if kind == "y":
        return _on(first + WEEK)
    return _on(first) if kind == "c" else _either(first, _monday(today) + WEEK, weekday, 1, match)


def _either(first: date, monday: date, weekday: int, days: int, match: _RuleMatch) -> Moment:
    """Return the days in the next week or the next such days, whichever a language means.

    The other meaning, if different, goes into `other`.
    """
    later = monday + DAY * (weekday - 1)
    main, other = (later, first) if match.words.language in OF_NEXT_WEEK else (first, later)
    last = DAY * (days - 1)
    return Moment(main, main + last, other=None if main == other else (other, other + last))


@_rule(
    "W.*[tcnly].*U", "W.*U.*[tcnly]", "[tcnly].*U.*W", "U.*[tcnly].*W", "E.*W", "W.*E", "E.*D",
)  # fmt: skip
def _weekday_of_week(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "volgende week vrijdag", "vendredi de la semaine prochaine", "haftaya bugün"."""
    weeks, weekday = match.get("E") or _WEEKS.get(match.first_of("ycntl"), 0), match.get("W")
    if match.get("E") is None and match.get("U") != "week":
        return None
    if weekday is None:
        return _on(today + DAY * match.get("D")[0] + weeks * WEEK)
    return _on(_monday(today) + weeks * WEEK + DAY * (weekday - 1))


@_rule(
    "[WD].*i.*[1N]+U", "[WD].*i.*1?Q", "[WD]q", "WU", "[1N]Uo.*W", "[WD].*m.*[1N]+U", "[1N]Us.*D",
    "1?Qs?.*D",
)  # fmt: skip
def _counted_from(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "dinsdag over een week", "mardi en huit", "Friday week", "a week from today"."""
    is_bare = match.first_of("iqsQm") == ""
    if is_bare and (match.words.language != "en" or match.get("U") != "week"):
        return None
    day, weekday = match.get("D"), match.get("W")
    return _ahead(match, _weekday(today, weekday) if day is None else today + DAY * day[0])


@_rule("i[f,]*[1N]+U", "i1?Q", "[1N]Us", "1?Qs", "q", "g.*[1N]+U", "[1N]+Ug", "1?Qg")
def _from_today(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "over een week", "dans quinze jours", "iki hafta sonra", "two weeks ago"."""
    return _ahead(match, today, -1 if match.first_of("isq") == "" else 1)


def _ahead(match: _RuleMatch, day: date, sign: int = 1) -> Moment | None:
    days, number, unit = match.get("Qq"), match.get("N") or 1, match.get("U")
    if days is not None or unit in ("day", "week"):
        return _on(day + DAY * sign * (days or number * (7 if unit == "week" else 1)))
    months = {"month": number, "year": 12 * number}.get(unit)
    return _on(day + relativedelta(months=sign * months)) if months else None


@_rule("[tcnly].*U", "U.*[tcnly]", "E", "U")
def _period(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "volgende week", "dit weekend", "le mois prochain"."""
    unit, kind = match.get("U"), match.first_of("ycntl")
    if match.get("E") is not None:
        return _span(_monday(today) + match.get("E") * WEEK, 7)
    if unit == "weekend":
        this = _monday(today) + 5 * DAY
        if kind in ("", "t", "l"):
            return _span(this - WEEK if kind == "l" else this, 2)
        first = this if today < this else this + WEEK
        return _span(first, 2) if kind == "c" else _either(first, this + 2 * DAY, 6, 2, match)
    if not kind or unit not in ("week", "month"):
        return None
    if unit == "week":
        return _span(_monday(today) + _WEEKS[kind] * WEEK, 7)
    return _month(today.replace(day=1) + relativedelta(months=_WEEKS[kind]))


@_rule("[mi][fm]*M(.*Y)?", "MY", "[tnc]M", "M[tnc]")
def _whole_month(match: _RuleMatch, today: date) -> Moment:
    year = match.get("Y") or today.year + (match.get("M") < today.month)
    return _month(date(year, match.get("M"), 1))


@_rule("D", "tf?P", "Pt")
def _day(match: _RuleMatch, today: date) -> Moment:
    """Parse "tomorrow", "this evening"."""
    days, start, end = match.get("D") or (0, *match.get("P"))
    is_greeting = not match.start and "P" in match.means(0)
    if is_greeting and any("!" in sign.text for sign in match.tokens[match.end : match.end + 1]):
        return NO_DAY  # "Morgen! Wo kann ich parken?"
    return _on(today + DAY * days, start=start, end=end)


@_rule("W", "[op]v", "v,?[PC]")
def _bare_weekday(match: _RuleMatch, today: date) -> Moment | None:
    """Parse "Friday", "on fri", "fri morning", "do. vormittag"."""
    if match.get("W") is None and "z" in match.means(match.start - 1):
        return None  # A schedule: "Mon-Fri 9:00".
    if match.get("W") is None and not (_is_long(match) and (_ends(match) or match.first_of("PC"))):
        return None
    return _on(_weekday(today, match.get("Wv")))


def _is_long(match: _RuleMatch) -> bool:
    """Return whether an abbreviated weekday has a dot or is no other word."""
    tokens = match.tokens[match.start : match.end]
    short = next(token for token in tokens if "v" in token.means)
    has_dot = any(token.text.startswith(".") for token in tokens)
    return has_dot or "K" in short.means or ("A" not in short.means and len(short.text) > 2)


@_rule(
    "[N]U", "O.*U", "[tcnlyO].*U.*M", "x.?[WvMH]", "[WMH]x", "[NC]h", "R", "k.*[NC]h?", "kN[f]*P",
    "B[NOXCR]", "vS",
)  # fmt: skip
def _no_day(match: _RuleMatch, today: date) -> Moment | None:
    """Skip durations, names ("dokter Vrijdag") and times of day."""
    is_someone = "f" in match.means(match.start - 1) and match.words.language in ARTICLES
    if is_someone and match.first_of("x") and "W" in match.means(match.end - 1):
        return None
    is_date = match.is_followed_by("Mj") and match.first_of("kB")
    return None if is_date or (match.first_of("k") and match.is_followed_by("f")) else NO_DAY


def _found(
    tokens: Sequence[Token], words: DayWords, calendar: Calendar, today: date
) -> Iterator[_RuleMatch]:
    """Yield the matches of rules, from left to right."""
    codes = [letters(token) for token in tokens]
    line, starts, place = "".join(codes), [0], 0
    for each in codes:
        starts.append(starts[-1] + len(each))
    at = {start: number for number, start in enumerate(starts)}
    while place < len(tokens):
        if not tokens[place].means:
            place += 1
            continue
        fits = [
            _RuleMatch(rule, tokens, place, at[one.end()], words, calendar)
            for pattern, rule in _RULES
            if (one := pattern.match(line, starts[place]))
        ]
        # The longest match first, then the order in this file; a rule may decline.
        fits.sort(key=lambda fit: -fit.end)
        read = next((fit for fit in fits if fit.on(today) is not None), None)
        if read is None:
            place += 1
            continue
        place = read.end
        if read.on(today) is not NO_DAY:
            yield read


def read(text: str, language: str, now: datetime, calendar: Calendar) -> tuple[Moment, ...]:
    """Return the days and periods that a question names, in order."""
    words = calendar.words.get(language)
    if words is None:
        return ()
    tokens, today = tokens_of(text, words), now.date()
    found = list(_found(tokens, words, calendar, today))
    moments: list[tuple[Moment, int, int]] = []
    for one in found:
        moment, start = _shifted(one, today)
        if moment is None:
            continue
        if moments and (joined := _joined(moments[-1], one)):
            moments[-1] = (joined, moments[-1][1], one.end)
        else:
            moments.append((moment, start, one.end))
    named = tuple(_with_time(*each, text, tokens) for each in moments)
    means = {code for token in tokens for code in token.means}
    if not named and {"w", "p"} <= means:
        minutes = now.hour * 60 + now.minute
        word = next(token for token in tokens if "w" in token.means)
        place = word.start, word.end
        return (_on(today, text=word.text, place=place, start=minutes, is_now=True),)
    return named


def _beside(tokens: Sequence[Token], start: int, end: int) -> Iterator[Token]:
    """Yield the tokens after and before a range, up to the first on each side that is no filler."""
    for side in (range(end, len(tokens)), range(start - 1, -1, -1)):
        for at in side:
            yield tokens[at]
            if tokens[at].means.keys().isdisjoint(FILLERS):
                break


def weekdays(text: str, language: str, calendar: Calendar) -> tuple[tuple[int, int], ...]:
    """Return the weekdays that a text names: position and number from 1."""
    words = calendar.words.get(language)
    if words is None:
        return ()
    tokens = tokens_of(text, words)
    named = [
        token
        for one in _found(tokens, words, calendar, SOME_DAY)
        for token in tokens[one.start : one.end]
        if not token.means.keys().isdisjoint("Wv")
    ]
    return tuple((token.start, token.means.get("W", token.means.get("v"))) for token in named)


def _shifted(one: _RuleMatch, today: date) -> tuple[Moment | None, int]:
    """Return the day of a match and its first token, with an offset: "the day after Christmas"."""
    for at in range(one.start - 1, max(one.start - 4, -1), -1):
        if (days := one.means(at).get("b")) is not None:
            given = one.on(today - DAY * days)
            return _on(given.first + DAY * days) if given else None, at
        if one.means(at).keys().isdisjoint(FILLERS):
            break
    return one.on(today), one.start


def _joined(before: tuple[Moment, int, int], one: _RuleMatch) -> Moment | None:
    """Return the range from the previous day to this one, if words join them.

    They do by "from … to" and "between … and", and by "and" if the days are consecutive.
    """
    moment, start, end = before
    link = one.tokens[end : one.start]
    codes = {code for token in link for code in token.means}
    if codes.isdisjoint("za") or any(t.means.keys().isdisjoint(f"za{FILLERS}") for t in link):
        return None
    near = (*range(start - 2, start), one.end, one.end + 1)
    last = one.on(moment.first)
    is_whole = "z" in codes or any("r" in one.means(at) for at in near)
    if last is not None and last.last < moment.first and one.get("Y"):
        # The year stands only after the last day.
        moment = replace(
            moment,
            first=_next_date(last.last - 365 * DAY, moment.first.day, moment.first.month)
            or moment.first,
        )
    if last is None or last.last < moment.first:
        return None
    if not is_whole and (last.first - moment.last).days > 1:
        return None
    return Moment(moment.first, last.last)


def _with_time(moment: Moment, start: int, end: int, text: str, tokens: Sequence[Token]) -> Moment:
    """Add the words of a moment, and its time or part of the day."""
    place = tokens[start].start, tokens[end - 1].end
    moment = replace(moment, text=text[slice(*place)], place=place)
    own = [t.means["P"] for t in tokens[start:end] if "P" in t.means and "D" not in t.means]
    own += [token.means["P"] for token in _beside(tokens, start, end) if "P" in token.means]
    clocks = list(_clocks(tokens, range(start, end)))
    if clocks:
        is_late = bool(own) and own[0][0] >= NOON
        clocks = [each + NOON if is_late and each < NOON else each for each in clocks]
        return replace(moment, start=clocks[0], end=clocks[-1])
    if own and moment.start is None:
        return replace(moment, start=own[0][0], end=own[0][1])
    return moment


def _clocks(tokens: Sequence[Token], dated: range) -> Iterator[int]:
    """Yield the clock times, as figures or next to a word for time: "om 15 uur"."""
    for at, token in enumerate(tokens):
        if "C" in token.means and "X" not in token.means:
            yield token.means["C"]
        elif "N" in token.means and token.text.isdigit() and at not in dated:
            before = tokens[at - 1].means if at else {}
            after = tokens[at + 1].means if at + 1 < len(tokens) else {}
            if ("k" in before or "h" in after) and token.means["N"] < 25:
                yield token.means["N"] * 60
