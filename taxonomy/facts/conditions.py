"""Conditions: what limits a fact, and what a question says of who asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from taxonomy.facts.parts import BAR, WrongPart, in_part
from taxonomy.facts.phrases import words_for
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
    #: In years: "0-15", "16-", or 7.
    age: str = ""
    inpatient: str = ""

    @classmethod
    def parse(cls, said: Mapping[str, Any]) -> Self:
        """Parse conditions; an unknown or invalid one is a `WrongPart`."""
        values = {}
        for name, value in said.items():
            if name not in NAMES:
                sentence = _("“%(part)s” is not a condition: choose from %(known)s.")
                raise WrongPart("", sentence, name, known=", ".join(NAMES))
            if text := squash(str(value)):
                with in_part(name):
                    values[name] = _READERS[name](text)
        return cls(**values)

    @classmethod
    def parse_line(cls, line: str) -> Self:
        """Return the conditions of one cell: "campus: noord | age: 0-15"."""
        said = {}
        for piece in filter(None, map(squash, line.split(BAR))):
            name, colon, value = piece.partition(":")
            if not colon:
                raise WrongPart(
                    "", _("“%(part)s” is not readable: write it like campus: noord."), piece
                )
            said[name.strip().lower()] = value
        return cls.parse(said)

    def data(self) -> dict[str, str]:
        """Return those that matter, as plain values."""
        return {name: value for name in NAMES if (value := getattr(self, name))}

    def agreement(self, asked: FactConditions) -> tuple[int, int] | None:
        """Return how many of a question's conditions these meet, and how many it leaves open.

        Nothing when one of them contradicts the question.
        """
        met = open_ = 0
        for name, value in self.data().items():
            wanted = getattr(asked, name)
            if not wanted:
                open_ += 1
                continue
            if not (_overlap(value, wanted) if name == "age" else fold(value) == fold(wanted)):
                return None
            met += 1
        return met, open_


NAMES = tuple(field.name for field in fields(FactConditions))


def line_of(conditions: Mapping[str, str]) -> str:
    """Return conditions as one cell, also those that an earlier release knew."""
    return f" {BAR} ".join(f"{name}: {value}" for name, value in conditions.items() if value)


def _age(text: str) -> str:
    found = _AGE.fullmatch(text)
    low, high = _ages(text) if found and any(found.groups()) else (1, 0)
    if low > high:
        raise WrongValue(_("“%(part)s” is not an age: write years such as 0-15, 16- or 7."), text)
    return text.replace(" ", "")


def _ages(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    first = int(low or 0)
    return first, int(high or OLDEST) if dash else first


def _overlap(value: str, wanted: str) -> bool:
    (low, high), (first, last) = _ages(value), _ages(wanted)
    return low <= last and first <= high


def _yes_or_no(text: str) -> str:
    for code in (YES, NO):
        if fold(text) in (code, *words_for(code)):
            return code
    raise WrongValue(_("“%(part)s” must be yes or no."), text)


_READERS: Mapping[str, Callable[[str], str]] = {
    "campus": str, "age": _age, "inpatient": _yes_or_no,
}  # fmt: skip
