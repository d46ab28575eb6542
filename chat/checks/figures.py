"""The figures of a text in one form: 14u30 and 2:30 pm are one time, 1,20 and 1.20 one amount."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from zol.text import fold, words

_CITATION = re.compile(r"\[\d+\]")
_LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s+", re.MULTILINE)
_PHONE = re.compile(r"(?<![\w])(?:\+|00|0)\d(?:[ ./()-]{0,2}\d){6,13}(?!\d)")
_TIME = re.compile(
    r"(?<![\d.,])([01]?\d|2[0-4])\s?(?:[:hu.]\s?([0-5]\d))(?![\d.,]\d|\d)(\s?[ap]\.?m\b)?"
)
_HOUR = re.compile(r"(?<![\d.,:])([01]?\d|2[0-4])\s?(?:h|u|[ap]\.?m)\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[½¼¾]")
_FRACTIONS = {"½": "0.5", "¼": "0.25", "¾": "0.75"}
_AFTERNOON = re.compile(r"p\.?m")
HALF_DAY = 12
SHORTEST_PHONE = 8
THOUSANDS = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as written, and every way in which it may be meant."""

    written: str
    readings: frozenset[str]

    def stands_in(self, others: frozenset[str]) -> bool:
        return not self.readings.isdisjoint(others)


@dataclass(frozen=True, slots=True)
class Figures:
    """Reads figures; numbers in words by the words of its rows."""

    #: Folded word → number, such as "drie" → "3".
    words: Mapping[str, str] = field(default_factory=dict)

    def read(self, text: str) -> tuple[Figure, ...]:
        """Return the figures of a text; its citation marks and list numbers are none."""
        rest = _LIST_NUMBER.sub("", _CITATION.sub(" ", text))
        found: list[Figure] = []
        for pattern, meaning in ((_PHONE, _phone), (_TIME, _time), (_HOUR, _hour)):
            found += [Figure(match[0].strip(), meaning(match)) for match in pattern.finditer(rest)]
            rest = pattern.sub(" ", rest)
        for match in _NUMBER.finditer(rest):
            found += [Figure(part, _amounts(part)) for part in _parts(match[0])]
        spoken = ((word, self.words.get(word)) for word in words(rest))
        found += [Figure(word, frozenset((number,))) for word, number in spoken if number]
        return tuple(found)

    def readings(self, text: str) -> frozenset[str]:
        """Return every reading of every figure, so that figures can be looked up in a source.

        Times and telephone numbers of a source are also read as the plain numbers they consist
        of: "van 14 tot 16 uur" bears out 14:00.
        """
        found = {reading for figure in self.read(text) for reading in figure.readings}
        return frozenset(found | _plain(text))


def _plain(text: str) -> set[str]:
    numbers = (match[0] for match in _NUMBER.finditer(_PHONE.sub(" ", text)))
    return {reading for number in numbers for part in _parts(number) for reading in _amounts(part)}


def phones(text: str) -> tuple[str, ...]:
    """Return the telephone numbers of a text as digits, the country code as 0."""
    return tuple(_digits(match) for match in _PHONE.finditer(text))


def _phone(match: re.Match[str]) -> frozenset[str]:
    return frozenset((_digits(match),))


def _digits(match: re.Match[str]) -> str:
    written = match[0].replace("(0)", "")
    digits = re.sub(r"\D", "", written)
    international = written.startswith("+") or digits.startswith("00")
    digits = digits.removeprefix("00") if international else digits
    # Country codes have two digits here and around; a longer one is compared as it is.
    return f"0{digits[2:]}" if international and len(digits) > SHORTEST_PHONE else digits


def _time(match: re.Match[str]) -> frozenset[str]:
    clock = _clock(int(match[1]), match[2], match[3] or "")
    written = match[0].strip()
    # 2.50 is a time in one sentence and an amount in another.
    amounts = _amounts(written) if _NUMBER.fullmatch(written) else frozenset()
    return frozenset((clock, *amounts))


def _hour(match: re.Match[str]) -> frozenset[str]:
    return frozenset((_clock(int(match[1]), "00", match[0]),))


def _clock(hour: int, minutes: str, half: str) -> str:
    is_later = bool(_AFTERNOON.search(fold(half))) and hour < HALF_DAY
    hour += HALF_DAY if is_later else 0
    return str(hour) if minutes == "00" else f"{hour}:{minutes}"


def _parts(written: str) -> list[str]:
    """Return the figures of a number; those of a date are three."""
    parts = re.split(r"[.,]", written)
    is_date = len(parts) > 2 and not all(len(part) == THOUSANDS for part in parts[1:])
    return parts if is_date else [written]


def _amounts(written: str) -> frozenset[str]:
    """Return what a number may mean: 1.250 is a thousand here and a little over one there."""
    if written in _FRACTIONS:
        return frozenset((_FRACTIONS[written],))
    whole, *rest = re.split(r"[.,]", written)
    readings = set()
    if all(len(part) == THOUSANDS for part in rest):
        readings.add(_bare("".join((whole, *rest))))
    if len(rest) == 1:
        decimals = rest[0].rstrip("0")
        readings.add(f"{_bare(whole)}.{decimals}" if decimals else _bare(whole))
    return frozenset(readings)


def _bare(digits: str) -> str:
    return digits.lstrip("0") or "0"
