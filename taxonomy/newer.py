"""Newer default rows beside a hospital's own: what may be taken over, and what staff decided.

Three sides: what the hospital was given, what its rows say now, and what a hospital would be given
today. A row that nobody edited follows the default; one that was edited, or removed, is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
#: What names a row within its set.
Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A row that differs from its newer default."""

    now: Row
    newer: Row

    def fields(self) -> tuple[tuple[str, Any, Any], ...]:
        """Return what would be another: field, as it is, as the newer default has it."""
        return tuple(
            (name, self.now.get(name), value)
            for name, value in self.newer.items()
            if self.now.get(name) != value
        )


@dataclass(frozen=True, slots=True)
class Newer:
    """What the defaults of one row set bring."""

    added: tuple[Row, ...] = ()
    changed: tuple[Replaced, ...] = ()
    #: No default any more.
    withdrawn: tuple[Row, ...] = ()
    #: Has a newer default, but was edited here: left as it is.
    kept: tuple[Replaced, ...] = ()

    @property
    def total(self) -> int:
        """How many rows would be written."""
        return len(self.added) + len(self.changed) + len(self.withdrawn)


def newer(
    given: Iterable[Row], own: Iterable[Row], today: Iterable[Row], identity: Sequence[str]
) -> Newer:
    """Compare the three sides; rows are named by the fields of `identity`."""
    before, now, after = (named(rows, identity) for rows in (given, own, today))
    added: list[Row] = []
    changed: list[Replaced] = []
    kept: list[Replaced] = []
    for name, row in after.items():
        mine, old = now.get(name), before.get(name)
        if mine is None:
            added += [row] if old is None else []  # Else staff removed it.
        elif mine == row or (old is not None and _says(row, old)):
            continue  # Nothing new to say.
        else:
            (changed if old is not None and _says(mine, old) else kept).append(Replaced(mine, row))
    gone = before.keys() & now.keys() - after.keys()
    withdrawn = [now[name] for name in now if name in gone and _says(now[name], before[name])]
    return Newer(tuple(added), tuple(changed), tuple(withdrawn), tuple(kept))


def named(rows: Iterable[Row], identity: Sequence[str]) -> dict[Name, Row]:
    """Return rows by what names them; of several by one name, the first."""
    found: dict[Name, Row] = {}
    for row in rows:
        found.setdefault(name_of(row, identity), row)
    return found


def name_of(row: Row, identity: Sequence[str]) -> Name:
    return tuple(str(row[field]) for field in identity)


def _says(row: Row, given: Row) -> bool:
    """Whether a row says what was given; fields that were not there then do not count."""
    return all(row[field] == value for field, value in given.items() if field in row)
