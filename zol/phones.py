"""Find telephone numbers in a text, and normalise them for a `tel:` link.

People write one number in many ways: `0477 / 12 34 56`, `+32 (0)477 12.34.56`, `0032477123456`.
Whoever looks for numbers, compares them, hides them or lets them be dialled reads them here.
libphonenumber says what is a number; this module knows what stands around one in a sentence: hours,
a second number, or the end of a range ("089 32 50 50 – 51").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import phonenumbers

#: Where those come from who write a number as they dial it.
ELSEWHERE = ("BE", "NL", "DE", "FR", "GB", "TR", "RO", "IT", "GR", "IE", "CH", "AT", "MD")
#: Kinds of numbers that are free, shared or dear to call.
NOBODYS = (
    phonenumbers.PhoneNumberType.TOLL_FREE, phonenumbers.PhoneNumberType.PREMIUM_RATE,
    phonenumbers.PhoneNumberType.SHARED_COST, phonenumbers.PhoneNumberType.UAN,
)  # fmt: skip
#: Where numbers are dialled without a nought before them.
WITHOUT_NOUGHT = ("GR", "IT", "CY", "US")
#: Digits of a number; and of what looks like one, as dialled within a country and from abroad.
FEWEST, NATIONAL, ABROAD = 7, range(9, 13), range(9, 16)
#: Groups of digits that a number is written in, and letters, at most.
MOST, LONGEST = 9, 30
#: How far the end of a range is from its beginning, at most.
RANGE = 20
#: Letters before a number among which it may be called a fax.
AHEAD = 20
#: Dots and blanks that are written between digits, and that libphonenumber does not read.
_BLANKS = str.maketrans(dict.fromkeys("\u00a0\u202f\u00b7", " "))
_DASH = r"\u2010-\u2015-"
_RUN = re.compile(rf"(?:\+ )?[+(]*\d(?:[ ./()\[\]{_DASH}]{{0,4}}\d)*")
_GROUP = re.compile(r"(?:\+ )?[+(]*\d+")
_CLOCK = r"[0-2]?\d(?:[.:]|\s?[hu]\s?)[0-5]\d"
#: What has as many digits and is no number to dial: an account, a date, hours.
_OTHER = re.compile(
    r"\b[A-Z]{2}\d{2}(?:[ .-]?(?:\d{4}|[A-Z\d]{4}(?=[ .-]?\d))){2,7}(?:[ .-]?[A-Z\d]{1,3}\b)?"
    r"|(?<!\d)(?<!\d[./-])(?:[0-2]?\d|3[01])([./-])(?:0?\d|1[0-2])\1(?:\d{4}|\d\d)(?![./-]?\d)"
    r"|(?<!\d)[12]\d{3}-\d\d-\d\d(?!-?\d)"
    rf"|(?<![\d.]){_CLOCK}(?:\s*[{_DASH}]\s*{_CLOCK}(?![.]?\d)|(?=\s+[(+0]))"
    rf"|(?<![\d.])(?:[01]?\d|2[0-4])\s?[{_DASH}]\s?\d{{1,2}}\s?(?:h|u|uur|Uhr)\b"
)
_RANGE_END = re.compile(rf"\s?[/{_DASH}]\s?(\d{{1,3}})(?![\w%]|[.,:]\d|\s?[{_DASH}]|\s[hu]\b)")
#: What a number is only the rest of: letters, decimals, an hour.
_WITHIN = re.compile(r"(?:[^\W_]-?|\d[.,:/]|\+)$")
#: What may follow a number at once: nothing, a bracket, a sign that stands apart.
_ENDS = re.compile(rf"\D*$|\s*[(\[]|\s+[/{_DASH}]\s")
_FAX = re.compile(r"(?:\bfax|\bfaks|φαξ|cop[iy]e?ur|télécopie)\W{0,4}(?:n\W{0,2})?$", re.IGNORECASE)


class Phone(NamedTuple):
    """A telephone number in a text: from which letter up to which, and as a link dials it."""

    start: int
    end: int
    #: E.164, such as "+3289325050".
    dialled: str
    is_fax: bool = False


def find(text: str, home: str) -> tuple[Phone, ...]:
    """Return the numbers of a text, in order, that can be dialled as they are written in a country
    (`home`, such as "be"). The end of a range is a number of its own."""
    return tuple(_found(text, home.upper(), _existing))


def alike(text: str, home: str) -> tuple[Phone, ...]:
    """Return what may be somebody's number, for who hides it: mistyped, or as dialled elsewhere."""
    return tuple(_found(text, home.upper(), _likely))


def numbers(text: str, home: str) -> tuple[str, ...]:
    """Return the telephone numbers of a text as a link dials them."""
    return tuple(phone.dialled for phone in find(text, home))


@lru_cache(maxsize=4_096)
def dialled(written: str, home: str) -> str:
    """Return what a link dials for a field with one number or more: the first that is no fax.

    A short number ("112"), or one that nobody could dial, is given by its digits.
    """
    found = sorted(find(written, home), key=lambda phone: phone.is_fax)
    return found[0].dialled if found else re.sub(r"(?!^\+)\D", "", written)


def is_public(dialled: str) -> bool:
    """Return whether a number (E.164) is of a kind that organisations have, and nobody at home."""
    try:
        return phonenumbers.number_type(phonenumbers.parse(dialled)) in NOBODYS
    except phonenumbers.NumberParseException:
        return False  # a number of one country only, or "+++090/9337/55493+++"


def parted(written: str, home: str) -> tuple[str, str]:
    """Return the digits of a field's number: those of its country, and those dialled everywhere."""
    call = dialled(written, home)
    if not call.startswith("+"):
        return "", call
    number = phonenumbers.parse(call)
    return str(number.country_code), phonenumbers.national_significant_number(number)


def without(text: str, found: Iterable[Phone]) -> str:
    """Return a text with a blank in place of its numbers."""
    for phone in sorted(found, reverse=True):
        text = f"{text[: phone.start]} {text[phone.end :]}"
    return text


def is_short(digits: str, home: str) -> bool:
    """Whether a country has such a number of a few digits, as for emergencies."""
    try:
        number = phonenumbers.parse(digits, home.upper())
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_short_number_for_region(number, home.upper())


#: Takes what may be a number, the longest before all others, with what follows each.
_Reading: TypeAlias = Callable[[Sequence[tuple[str, str]], str], tuple[str, str]]


NONE = ("", "")


def _found(text: str, home: str, read: _Reading) -> Iterator[Phone]:
    plain = _OTHER.sub(lambda other: "x" * len(other[0]), text.translate(_BLANKS))
    at = after = 0
    while run := _RUN.search(plain, at):
        at = run.end()
        for start, tried in _tried(plain, run, after, home):
            written, number = read(tried, home)
            if not number:
                continue
            at = start + len(written)
            is_fax = _FAX.search(plain, max(0, start - AHEAD), start) is not None
            yield Phone(start, at, number, is_fax)
            if (last := _RANGE_END.match(plain, at)) and _is_near(number, last[1]):
                at = last.end()
                yield Phone(last.start(1), at, number[: -len(last[1])] + last[1], is_fax)
            after = at
            break


def _tried(
    plain: str, run: re.Match[str], after: int, home: str
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Yield where a number may begin, and what it may be, with what then follows."""
    has_trunk = phonenumbers.ndd_prefix_for_region(home, strip_non_digits=True) == "0"
    groups = [group.span() for group in _GROUP.finditer(plain, run.start(), run.end())]
    for n, (start, _end) in enumerate(groups):
        is_next = after and start - after <= len("/")
        if not is_next and _WITHIN.search(plain, max(0, start - len("1.")), start):
            continue
        if n and has_trunk and plain[start] not in "+(0":
            continue
        ends = [end for _start, end in groups[n : n + MOST] if end - start < LONGEST]
        yield start, [(plain[start:e], plain[e : min(e + LONGEST, run.end())]) for e in ends[::-1]]


def _existing(tried: Sequence[tuple[str, str]], home: str) -> tuple[str, str]:
    """Return the longest number that exists; another may follow it, and no more of itself."""
    for written, rest in tried:
        is_whole = _ENDS.match(rest) or _RANGE_END.match(rest) or len(_digits(rest)) >= FEWEST
        if is_whole and (number := _read(written, home)):
            return written, number
    return NONE


def _likely(tried: Sequence[tuple[str, str]], home: str) -> tuple[str, str]:
    found = _existing(tried, home)
    for written in () if found[1] else (each for each, _rest in tried):
        for country in (home, *ELSEWHERE) if _has_nought(written) else WITHOUT_NOUGHT:
            if number := _read(written, country):
                return written, number
    like = ((each, _digits(each)) for each, _rest in tried if _looks_like_one(each))
    return found if found[1] else next(like, NONE)


@lru_cache(maxsize=8_192)
def _read(written: str, country: str) -> str:
    """Return a number as dialled from abroad; nothing where not all of these digits are one."""
    if len(_digits(written)) < FEWEST:
        return ""
    found = next(iter(phonenumbers.PhoneNumberMatcher(written, country)), None)
    if found is None or _digits(found.raw_string) != _digits(written):
        return ""
    return phonenumbers.format_number(found.number, phonenumbers.PhoneNumberFormat.E164)


def _looks_like_one(written: str) -> bool:
    is_abroad = written.strip("( ").startswith(("+", "00"))
    return _has_nought(written) and len(_digits(written)) in (ABROAD if is_abroad else NATIONAL)


def _has_nought(written: str) -> bool:
    return written.strip("( ").startswith(("0", "+"))


def _is_near(number: str, end: str) -> bool:
    return 0 < int(end) - int(number[-len(end) :]) <= RANGE


def _digits(written: str) -> str:
    return re.sub(r"\D", "", written.replace("(0)", "") if written[:3] != "(0)" else written)
