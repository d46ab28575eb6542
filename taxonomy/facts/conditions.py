"""Conditions: what limits a fact, and what a question says of who asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from taxonomy.facts.hours import Dates
from taxonomy.facts.parts import BAR, WrongPart, reading
from taxonomy.facts.phrases import CODES, words_for
from taxonomy.facts.schedules import DAYS
from zol.records.values import WrongValue
from zol.text import fold, squash
from zol.text import marked as _

YES, NO = "yes", "no"
_AGE = re.compile(r"(\d{1,3})?\s*-\s*(\d{1,3})?|(\d{1,3})")
OLDEST = 130


@dataclass(frozen=True, slots=True)
class FactConditions:
    """Each is empty where it does not matter."""

    campus: str = ""
    #: "ma-vr", "za", "holiday", or dates such as 2026-12-25.
    day: str = ""
    #: In years: "0-15", "16-", or 7.
    age: str = ""
    sex: str = ""
    language: str = ""
    insurance: str = ""
    pregnant: str = ""
    medicine: str = ""
    examination: str = ""
    inpatient: str = ""

    @classmethod
    def parse(cls, said: Mapping[str, Any]) -> Self:
        """Parse conditions; an unknown or invalid one is a `WrongPart`."""
        values = {}
        for name, value in said.items():
            if name not in NAMES:
                sentence = _("There is no condition “%(part)s”; known are: %(known)s.")
                raise WrongPart("", sentence, name, known=", ".join(NAMES))
            if text := squash(str(value)):
                values[name] = reading(name, _READERS.get(name, str), text)
        return cls(**values)

    @classmethod
    def parse_line(cls, line: str) -> Self:
        """Return the conditions of one cell: "campus: noord | age: 0-15"."""
        said = {}
        for piece in filter(None, map(squash, line.split(BAR))):
            name, colon, value = piece.partition(":")
            if not colon:
                raise WrongPart("", _("“%(part)s”: write it as campus: noord."), piece)
            said[name.strip().lower()] = value
        return cls.parse(said)

    def data(self) -> dict[str, str]:
        """Return those that matter, as plain values."""
        return {name: value for name in NAMES if (value := getattr(self, name))}

    def __str__(self) -> str:
        return f" {BAR} ".join(f"{name}: {value}" for name, value in self.data().items())

    def agreement(self, asked: FactConditions) -> tuple[int, int] | None:
        """Return how many of a question's conditions these meet, and how many it leaves open.

        Nothing when one of them contradicts the question.
        """
        met = open_ = 0
        for name, value in self.data().items():
            wanted = getattr(asked, name)
            if not wanted:
                open_ += 1
            elif not _MEETS.get(name, _same)(value, wanted):
                return None
            else:
                met += 1
        return met, open_


NAMES = tuple(field.name for field in fields(FactConditions))


def _age(text: str) -> str:
    found = _AGE.fullmatch(text)
    low, high = _ages(text) if found and any(found.groups()) else (1, 0)
    if low > high:
        raise WrongValue(_("“%(part)s” is no age in years such as 0-15, 16- or 7."), text)
    return text.replace(" ", "")


def _ages(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    first = int(low or 0)
    return first, int(high or OLDEST) if dash else first


def _day(text: str) -> str:
    said = fold(text)
    if said == "holiday" or said in words_for("holidays"):
        return "holiday"
    if all(day in DAYS for day in said.split("-")) and said.count("-") <= 1:
        return said
    return str(Dates.parse(text))


def _days(text: str) -> frozenset[str]:
    first, dash, last = text.partition("-")
    if first not in DAYS or not dash:
        return frozenset({text})
    return frozenset(DAYS[DAYS.index(first) : DAYS.index(last) + 1])


def _yes_or_no(text: str) -> str:
    for code in (YES, NO):
        if fold(text) in (code, *words_for(code)):
            return code
    raise WrongValue(_("“%(part)s” is neither yes nor no."), text)


def _sex(text: str) -> str:
    if text in ("f", "m"):
        return text
    raise WrongValue(_("“%(part)s” is neither f nor m."), text)


def _language(text: str) -> str:
    if text in CODES:
        return text
    raise WrongValue(_("“%(part)s” is not the code of a language, such as nl."), text)


def _same(value: str, wanted: str) -> bool:
    return fold(value) == fold(wanted)


def _meets_age(value: str, wanted: str) -> bool:
    (low, high), (first, last) = _ages(value), _ages(wanted)
    return low <= last and first <= high


def _meets_day(value: str, wanted: str) -> bool:
    return not _days(value).isdisjoint(_days(wanted))


_READERS = {
    "age": _age, "day": _day, "sex": _sex, "language": _language, "pregnant": _yes_or_no,
    "inpatient": _yes_or_no,
}  # fmt: skip
_MEETS = {"age": _meets_age, "day": _meets_day}
