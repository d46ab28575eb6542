"""A price per kilowatt-hour does not answer what an hour costs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from taxonomy.snapshot import Snapshot
from zol.text import fold

_AMOUNT = re.compile(r"(?:€|eur\b|euro\b)\s*\d|\d\s*(?:€|eur\b|euro\b)")
#: How far behind an amount its unit may stand, in characters.
_REACH = 40


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as people say it, such as "per uur"."""

    phrase: str
    name: str
    dimension: str

    @property
    def begins(self) -> str:
        """What stands in a text that says it: looked for first, since nearly none does."""
        return self.phrase.partition(" ")[0]

    @property
    def pattern(self) -> re.Pattern[str]:
        return _pattern(self.phrase)


@dataclass(frozen=True, slots=True)
class UnitGap:
    """The question asks per one unit, the context prices per others."""

    asked: str
    found: tuple[str, ...]


def units_of(snapshot: Snapshot) -> tuple[Unit, ...]:
    return snapshot.derived(_read_units)


def _read_units(snapshot: Snapshot) -> tuple[Unit, ...]:
    rows = (_unit(row) for row in snapshot.rows_of("retrieval.unitphrase"))
    return tuple(sorted(rows, key=lambda unit: -len(unit.phrase)))


def _unit(row: Any) -> Unit:
    return Unit(fold(row["question_phrase"]), row["unit"], row["dimension"])


def unit_gap(question: str, texts: Iterable[str], units: Iterable[Unit]) -> UnitGap | None:
    """Return the gap between the unit asked about and the units priced; None when there is none."""
    known = tuple(units)
    asked = _units_in(fold(question), known)
    if not asked:
        return None
    priced: set[Unit] = set()
    for text in texts:
        priced |= _priced_units(fold(text), known)
    if not priced or {unit.name for unit in asked} & {unit.name for unit in priced}:
        return None
    return UnitGap(
        min(unit.phrase for unit in asked), tuple(sorted({unit.phrase for unit in priced}))
    )


def _units_in(folded: str, units: tuple[Unit, ...]) -> set[Unit]:
    return {unit for unit in units if unit.begins in folded and unit.pattern.search(folded)}


@cache
def _pattern(phrase: str) -> re.Pattern[str]:
    """Match a phrase as whole words; one word may stand between: "per begonnen uur"."""
    spoken = r"(?:\s+\w+)?\s+".join(map(re.escape, phrase.split()))
    return re.compile(rf"(?<!\w){spoken}(?!\w)")


def _priced_units(folded: str, units: tuple[Unit, ...]) -> set[Unit]:
    priced: set[Unit] = set()
    for amount in _AMOUNT.finditer(folded):
        priced |= _units_in(folded[amount.start() : amount.end() + _REACH], units)
    return priced
