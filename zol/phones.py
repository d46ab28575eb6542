"""Telephone numbers: where they stand in a text, and which are one and the same.

People write one number in many ways: `0477 / 12 34 56`, `+32 (0)477 12.34.56`, `0032477123456`.
Whoever looks for numbers, compares them, hides them or lets them be dialled reads them here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import phonenumbers

#: Where a number without a country is dialled.
HOME = "BE"
#: Where else those come from who write a number as they dial it.
ELSEWHERE = ("NL", "DE", "FR", "GB", "TR", "RO", "IT")
#: Countries whose numbers are dialled without a nought before them, and digits of those.
WITHOUT_NOUGHT, THEIR_DIGITS = ("GR", "IT"), 10
#: Digits of a number as dialled within a country, and from abroad.
NATIONAL, ABROAD = range(9, 13), range(9, 16)
#: What stands between the digits of a number: blanks of three widths, dots, strokes and dashes.
_APART = r"[ \u00a0\u202f./()·–—-]"
_NUMBER = re.compile(
    rf"(?<![\w+])(?<!\d[.,:/-])(?:\(?\+{_APART}?\d|\(?0)(?:{_APART}{{0,3}}\d){{7,15}}(?!\d)"
    r"|(?<![\w+])(?<!\d[.,:/-])[2-9](?:[ .-]?\d){9}(?!\w|,\d)"
)
#: What has as many digits, and is no number to dial: a date, or hours from and to.
_OTHER = re.compile(
    r"\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)(?![./-]?\d)"
    r"|\d{1,2}\.\d\d\s*[-–]\s*\d{1,2}\.\d\d(?!\d)"
)
_GROUP = re.compile(rf"{_APART}+\d+$")


class Phone(NamedTuple):
    """A telephone number in a text: from which letter up to which, and as dialled from abroad."""

    start: int
    end: int
    number: str


def existing(text: str, home: str) -> tuple[Phone, ...]:
    """Return the numbers of a text that exist and can be dialled at home as they are written."""
    return tuple(
        phone
        for phone in find(text, home, ())
        if any(_read(text[phone.start : phone.end], home, ()))
    )


def find(text: str, home: str = HOME, elsewhere: tuple[str, ...] = ELSEWHERE) -> Iterator[Phone]:
    """Yield the telephone numbers of a text in order. What follows one too closely is left out."""
    at = 0
    while found := _NUMBER.search(text, at):
        at = found.end()
        if _OTHER.match(found[0]):
            continue
        if written := _dialled(found[0], home, elsewhere):
            at = found.start() + len(written)
            yield Phone(found.start(), at, canonical(written, home))


def numbers(text: str, home: str = HOME) -> tuple[str, ...]:
    """Return the telephone numbers of a text as dialled from abroad: "+3289123456"."""
    return tuple(phone.number for phone in find(text, home))


@lru_cache(maxsize=4_096)
def canonical(written: str, home: str = HOME) -> str:
    """Return a number as dialled from abroad; its digits alone where nobody could dial it."""
    return next((as_dialled(each) for each in _read(written, home)), _digits(written))


def as_dialled(number: phonenumbers.PhoneNumber) -> str:
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _read(
    written: str, home: str, elsewhere: tuple[str, ...] = ELSEWHERE
) -> Iterator[phonenumbers.PhoneNumber]:
    """Yield the numbers that exist and are written so, at home before elsewhere."""
    plain = _plain(written)
    has_nought = plain.startswith(("0", "+"))
    for country in (home, *elsewhere) if has_nought else WITHOUT_NOUGHT:
        if read := _parsed(plain, country):
            yield read


def _plain(written: str) -> str:
    return " ".join(re.findall(r"\+?\d+", _without_trunk(written)))


def _parsed(plain: str, country: str) -> phonenumbers.PhoneNumber | None:
    """Return the number that a country's people read, if there is one."""
    try:
        read = phonenumbers.parse(plain, country)
    except phonenumbers.NumberParseException:
        return None
    return read if phonenumbers.is_valid_number(read) else None


def _dialled(written: str, home: str, elsewhere: tuple[str, ...]) -> str:
    """Return as much of a number as is one, the longest that exists before all others."""
    tried = [written]
    while shorter := _GROUP.sub("", tried[-1]):
        if shorter == tried[-1]:
            break
        tried.append(shorter)
    likely = [each for each in tried if _may_be(each, home)]
    exists = (each for each in likely if any(_read(each, home, elsewhere)))
    return next(exists, next(iter(likely), ""))


def _may_be(written: str, home: str) -> bool:
    digits = _digits(written)
    if not digits.startswith("0") and "+" not in written:
        return len(digits) == THEIR_DIGITS and any(_read(written, home))
    is_abroad = "+" in written or digits.startswith("00")
    return len(digits) in (ABROAD if is_abroad else NATIONAL)


def _digits(written: str) -> str:
    return re.sub(r"\D", "", _without_trunk(written))


def _without_trunk(written: str) -> str:
    """Drop the "(0)" that is not dialled from abroad; in front of a number it is."""
    return written if written.startswith("(0)") else written.replace("(0)", "")
