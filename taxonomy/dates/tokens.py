"""Tokeniser of the grammar of days: known phrases, figures and signs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from taxonomy.dates.words import WORD, DayWords
from zol.text import fold

#: Codes of fillers within a date: "on", "the", "of", a comma.
FILLERS = "fodmi,k1r"
_TOKEN = re.compile(
    r"(?P<iso>(?<!\d)\d{4}-\d\d-\d\d(?!\d))"
    r"|(?P<date>(?:(?<![\d/.,-])|(?:(?<=\b[1-9]-)|(?<=\b[1-3]\d-)|(?<=\d\.-))(?=\d\d?[/.]))\d{1,2}(?P<sign>[/.-])\d{1,2}(?:(?P=sign)(?:\d{4}|\d\d))?\.?(?![\d/]|[.,-]\d))"
    r"|(?P<clock>(?<![\d:])\d{1,2}(?::\d\d|\s?[uh]\s?\d\d|\s?[uh](?!\w)|(?::\d\d)?\s?[ap]\.?m\b))"
    r"|(?P<ordinal>(?<!\d)\d{1,2}(?:s?te|de|e|er|ere|st|nd|rd|th|η|ης|ος|[°º])(?!\w))"
    r"|(?P<own>(?<!\d)\d{1,2}'?s?[iu]n(?:d[ae]n?|[ae])(?!\w))"
    r"|(?P<dotted>(?<!\d)\d{1,2}\.(?=\s+[\w\u2013-]))|(?P<number>\d+)|(?P<word>[^\W\d_]+)"
)
#: What may separate the words of a phrase, and the codes of other separators.
_WITHIN = re.compile(r"[\s.'/-]*")
_SIGNS = (
    (re.compile(r"\s*['\s]\s*"), ""),
    (re.compile(r"\s*\.?\s*[-\u2013\u2014]\s*"), "z"),
    (re.compile(r"\s*[&+/]\s*"), "a"),
    (re.compile(r"\s*[,.]\s*"), ","),
)


@dataclass(frozen=True, slots=True)
class Token:
    """A range of a text, with the values of its possible meanings by code."""

    text: str
    start: int
    end: int
    means: Mapping[str, Any]


def letters(token: Token) -> str:
    return f"<{''.join(token.means)}>"


def pattern(rule: str) -> re.Pattern[str]:
    """Compile a rule of codes, in which a dot is any filler, to a pattern over tokens' codes."""

    def one(found: re.Match[str]) -> str:
        either = FILLERS if found[0] == "." else found[0].strip("[]")
        return f"(?:<[^>]*[{re.escape(either)}][^>]*>)"

    return re.compile(re.sub(r"\[[^\]]+\]|[A-Za-z1.,;]", one, rule))


def tokens_of(text: str, words: DayWords) -> list[Token]:
    """Return the tokens of a text; phrases in `words.nothing` become separators."""
    plain = fold(text).replace("\u2019", "'")
    if len(plain) != len(text):  # Positions must be those of the text.
        plain = "".join(fold(letter)[:1] or " " for letter in text).replace("\u2019", "'")
    if words.nothing:
        plain = words.nothing.sub(lambda one: ";" * len(one[0]), plain)
    singles = [each for one in _TOKEN.finditer(plain) for each in _apart(one, words)]
    has_dates = words.pressure.isdisjoint(WORD.findall(plain))
    found: list[Token] = []
    place = 0
    while place < len(singles):
        one = singles[place]
        if found:
            found += _sign(plain, found[-1].end, one.start())
        size, means = _phrase(plain, singles, place, words)
        if not size:
            size = 1
            means = (
                words.of(one[0])
                if one["word"]
                else _figures(one, words.language, has_dates=has_dates)
            )
        end = singles[place + size - 1].end()
        found.append(Token(plain[one.start() : end], one.start(), end, means))
        place += size
    return [_as_number(token, found, at) for at, token in enumerate(found)]


def _apart(one: re.Match[str], words: DayWords) -> Iterator[re.Match[str]]:
    """Yield a token, split if it is no time: Romanian "pe 20 am" means "on 20 I have"."""
    number, _space, word = one[0].partition(" ")
    if one["clock"] and "A" in words.phrases.get((word,), {}):
        yield from _TOKEN.finditer(one.string, one.start(), one.start() + len(number))
        yield from _TOKEN.finditer(one.string, one.end() - len(word), one.end())
    else:
        yield one


def _sign(plain: str, start: int, end: int) -> Iterator[Token]:
    gap = plain[start:end]
    code = next((code for sign, code in _SIGNS if sign.fullmatch(gap)), ";") if gap else ""
    if code:
        yield Token(gap, start, end, {code: ""})


def _phrase(
    plain: str, singles: Sequence[re.Match[str]], place: int, words: DayWords
) -> tuple[int, Mapping[str, Any]]:
    """Return the number of tokens of the longest known phrase at a position, and its meanings."""
    parts: list[str] = []
    best: tuple[int, Mapping[str, Any]] = (0, {})
    for size, one in enumerate(singles[place : place + words.longest], start=1):
        if size > 1 and not _WITHIN.fullmatch(plain, singles[place + size - 2].end(), one.start()):
            break
        parts += WORD.findall(one[0])
        if (means := words.phrases.get(tuple(parts))) is not None:
            best = (size, means)
    return best


def _figures(one: re.Match[str], language: str, *, has_dates: bool) -> Mapping[str, Any]:
    """Return the possible meanings of figures: date, time, ordinal, number or year."""
    numbers = [int(each) for each in re.findall(r"\d+", one[0])]
    first = numbers[0]
    if one["iso"]:
        return {"X": tuple(reversed(numbers))}
    if one["date"]:
        return _as_date(one[0], numbers, one["sign"]) if has_dates else {}
    if one["clock"]:
        hour = first + (12 if "p" in one[0] and first < 12 else 0)
        return {"C": hour * 60 + sum(numbers[1:])} if hour < 25 else {}
    if first > 31:
        return {"Y": first} if 2000 <= first < 2100 else {}
    is_ordinal = one["ordinal"] or one["own"] or (one["dotted"] and language == "de")
    means = {"O" if is_ordinal else "N": first} if first else {}
    return means | {"G": first} if one["own"] and language == "tr" else means


def _as_date(text: str, numbers: Sequence[int], sign: str) -> Mapping[str, Any]:
    day, month, *year = numbers
    is_bare = not year and not text.endswith(".")
    means: dict[str, Any] = {}
    if is_bare and sign == "-":
        means["R"] = day, month  # "24-26 december"
    if is_bare and sign == "." and day < 25 and month < 60:
        means["C"] = day * 60 + month
    if month > 12 >= day:  # As Americans write it.
        day, month = month, day
    is_written = not is_bare or sign == "/" or len(text) == 5
    if is_written and 1 <= day <= 31 and 1 <= month <= 12:
        means["X"] = day, month, sum(year) + (2000 if sum(year) < 100 else 0) if year else None
    return means


def _as_number(token: Token, tokens: Sequence[Token], place: int) -> Token:
    """Weaken a Greek weekday that is an ordinal in its context: "η τρίτη πόρτα"."""
    if "number" not in token.means:
        return token
    means = {code: value for code, value in token.means.items() if len(code) == 1}
    before = tokens[place - 1].means.keys() if place else frozenset[str]()
    after = tokens[place + 1].means if place + 1 < len(tokens) else {";": ""}
    if "S" in after or (not after and before.isdisjoint("otcnlyz")):
        means["v"] = means.pop("W", None)
    return Token(token.text, token.start, token.end, means)
