"""Find telephone numbers in a text, and normalise them for a `tel:` link.

A number can be written in many forms: `0477 / 12 34 56`, `+32 (0)477 12.34.56`, `0032477123456`.
libphonenumber validates them; this module handles the text around a number: hours, a second number,
or the end of a range ("089 32 50 50 – 51").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import phonenumbers

#: Countries whose national numbers are hidden too.
ELSEWHERE = ("BE", "NL", "DE", "FR", "GB", "TR", "RO", "IT", "GR", "IE", "CH", "AT", "MD")
#: Types of numbers that private persons do not have.
NOT_PRIVATE = (
    phonenumbers.PhoneNumberType.TOLL_FREE, phonenumbers.PhoneNumberType.PREMIUM_RATE,
    phonenumbers.PhoneNumberType.SHARED_COST, phonenumbers.PhoneNumberType.UAN,
)  # fmt: skip
#: Countries whose national numbers have no leading 0.
WITHOUT_PREFIX = ("GR", "IT", "CY", "US")
#: Minimum digits of a number; digits of a likely one in national and in international form.
FEWEST, NATIONAL, ABROAD = 7, range(9, 13), range(9, 16)
#: Maximum groups of digits, and maximum length, of a written number.
MOST, LONGEST = 9, 30
#: Maximum distance of the end of a range from its beginning.
RANGE = 20
#: Characters before a number in which "fax" is searched.
AHEAD = 20
#: Separators that libphonenumber does not know, replaced by spaces.
_BLANKS = str.maketrans(dict.fromkeys("\u00a0\u202f\u00b7", " "))
_DASH = r"\u2010-\u2015-"
_RUN = re.compile(rf"(?:\+ )?[+(]*\d(?:[ ./()\[\]{_DASH}]{{0,4}}\d)*")
_GROUP = re.compile(r"(?:\+ )?[+(]*\d+")
_CLOCK = r"[0-2]?\d(?:[.:]|\s?[hu]\s?)[0-5]\d"
#: Digits that are no telephone number: an account, a date, hours.
_OTHER = re.compile(
    r"\b[A-Z]{2}\d{2}(?:[ .-]?(?:\d{4}|[A-Z\d]{4}(?=[ .-]?\d))){2,7}(?:[ .-]?[A-Z\d]{1,3}\b)?"
    r"|(?<!\d)(?<!\d[./-])(?:[0-2]?\d|3[01])([./-])(?:0?\d|1[0-2])\1(?:\d{4}|\d\d)(?![./-]?\d)"
    r"|(?<!\d)[12]\d{3}-\d\d-\d\d(?!-?\d)"
    rf"|(?<![\d.]){_CLOCK}(?:\s*[{_DASH}]\s*{_CLOCK}(?![.]?\d)|(?=\s+[(+0]))"
    rf"|(?<![\d.])(?:[01]?\d|2[0-4])\s?[{_DASH}]\s?\d{{1,2}}\s?(?:h|u|uur|Uhr)\b"
)
_RANGE_END = re.compile(rf"\s?[/{_DASH}]\s?(\d{{1,3}})(?![\w%]|[.,:]\d|\s?[{_DASH}]|\s[hu]\b)")
#: Text directly before digits that belong to a longer word, decimal or hour.
_WITHIN = re.compile(r"(?:[^\W_]-?|\d[.,:/]|\+)$")
#: Text that may follow a number: no digit, a bracket, or a separate sign.
_ENDS = re.compile(rf"\D*$|\s*[(\[]|\s+[/{_DASH}]\s")
_FAX = re.compile(r"(?:\bfax|\bfaks|φαξ|cop[iy]e?ur|télécopie)\W{0,4}(?:n\W{0,2})?$", re.IGNORECASE)


class Phone(NamedTuple):
    """A telephone number in a text, with its position and its form in a link."""

    start: int
    end: int
    #: E.164, such as "+3289325050".
    dialled: str
    is_fax: bool = False


def find(text: str, home: str) -> tuple[Phone, ...]:
    """Return the valid numbers of a text, in order, as dialled in a country (`home`, such as "be").

    The end of a range is a separate number.
    """
    return tuple(_found(text, home.upper(), _existing))


def likely(text: str, home: str) -> tuple[Phone, ...]:
    """Return all likely numbers of a text, to hide them: also mistyped and foreign ones."""
    return tuple(_found(text, home.upper(), _likely))


def numbers(text: str, home: str) -> tuple[str, ...]:
    """Return the valid numbers of a text, in the form of links."""
    return tuple(phone.dialled for phone in find(text, home))


@lru_cache(maxsize=4_096)
def dialled(written: str, home: str) -> str:
    """Return the form in a link of the first number of a field that is no fax.

    Of a short number ("112") or an invalid one, return the digits.
    """
    found = sorted(find(written, home), key=lambda phone: phone.is_fax)
    return found[0].dialled if found else re.sub(r"(?!^\+)\D", "", written)


def is_public(dialled: str) -> bool:
    """Return whether a number (E.164) is of a type that only organisations have."""
    try:
        return phonenumbers.number_type(phonenumbers.parse(dialled)) in NOT_PRIVATE
    except phonenumbers.NumberParseException:
        return False  # A number of one country only, or "+++090/9337/55493+++"


def parted(written: str, home: str) -> tuple[str, str]:
    """Return the country code (may be empty) and the national digits of the number of a field."""
    call = dialled(written, home)
    if not call.startswith("+"):
        return "", call
    number = phonenumbers.parse(call)
    return str(number.country_code), phonenumbers.national_significant_number(number)


def without(text: str, found: Iterable[Phone]) -> str:
    """Return a text with a space in place of each number."""
    for phone in sorted(found, reverse=True):
        text = f"{text[: phone.start]} {text[phone.end :]}"
    return text


def is_short(digits: str, home: str) -> bool:
    """Return whether a short number, such as one for emergencies, exists in a country."""
    try:
        number = phonenumbers.parse(digits, home.upper())
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_short_number_for_region(number, home.upper())


#: Function that chooses among candidates, longest first, each with the text that follows.
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
    """Yield each possible start of a number, with its candidates and the text after each."""
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
    """Return the longest candidate that is a valid number and is not continued by more digits."""
    for written, rest in tried:
        is_whole = _ENDS.match(rest) or _RANGE_END.match(rest) or len(_digits(rest)) >= FEWEST
        if is_whole and (number := _read(written, home)):
            return written, number
    return NONE


def _likely(tried: Sequence[tuple[str, str]], home: str) -> tuple[str, str]:
    found = _existing(tried, home)
    for written in () if found[1] else (each for each, _rest in tried):
        for country in (home, *ELSEWHERE) if _has_prefix(written) else WITHOUT_PREFIX:
            if number := _read(written, country):
                return written, number
    like = ((each, _digits(each)) for each, _rest in tried if _looks_like_one(each))
    return found if found[1] else next(like, NONE)


@lru_cache(maxsize=8_192)
def _read(written: str, country: str) -> str:
    """Return a number in E.164 form; an empty text unless all digits are part of it."""
    if len(_digits(written)) < FEWEST:
        return ""
    found = next(iter(phonenumbers.PhoneNumberMatcher(written, country)), None)
    if found is None or _digits(found.raw_string) != _digits(written):
        return ""
    return phonenumbers.format_number(found.number, phonenumbers.PhoneNumberFormat.E164)


def _looks_like_one(written: str) -> bool:
    is_abroad = written.strip("( ").startswith(("+", "00"))
    return _has_prefix(written) and len(_digits(written)) in (ABROAD if is_abroad else NATIONAL)


def _has_prefix(written: str) -> bool:
    return written.strip("( ").startswith(("0", "+"))


def _is_near(number: str, end: str) -> bool:
    return 0 < int(end) - int(number[-len(end) :]) <= RANGE


def _digits(written: str) -> str:
    return re.sub(r"\D", "", written.replace("(0)", "") if written[:3] != "(0)" else written)
