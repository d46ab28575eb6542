"""The rows of a check, or those that it comes with.

A hospital whose published version has no row of a check, because somebody deleted them all or the
version is older than the check, is guarded by the defaults: a safety check cannot be emptied. Nor
can a part of it: a sort of emergency or of advice that nothing speaks of any more, or a slot that
nothing fills, is as it comes.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from taxonomy.snapshot import Snapshot
from zol.languages import LANGUAGES

DEFAULTS = Path(__file__).parent.parent / "defaults"
#: Roles without which a check does not hear: the others only speak against it.
PARTS = frozenset({"trigger", "phrase", "rule", "slot"})
#: Roles by which an emergency is heard in a language: rules hold in all, and their words in one.
OWN = frozenset({"slot", "example"})
Rows = Sequence[Mapping[str, Any]]
#: Roles whose rows speak of an emergency.
SPEAKING = PARTS | {"example"}


@cache
def defaults(name: str) -> tuple[Mapping[str, Any], ...]:
    """Return the rows of a file of defaults."""
    with (DEFAULTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def rows_of(snapshot: Snapshot, row_set: str, name: str) -> Rows:
    """Return a version's rows of a check; the defaults where it has none."""
    return tuple(snapshot.rows_of(row_set)) or defaults(name)


def whole_rows_of(snapshot: Snapshot, row_set: str, name: str) -> Rows:
    """Return a version's rows of a check by rules, with the default ones for what it lacks."""
    rows = rows_of(snapshot, row_set, name)
    known = {_part(row) for row in rows if row["role"] in PARTS}
    lacking = tuple(
        row for row in defaults(name) if _part(row) not in known and row["role"] in PARTS
    )
    return (*rows, *lacking)


def _part(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return what a row is for: to fill a slot, or to speak of a sort of emergency or advice."""
    role = "slot" if row["role"] == "slot" else "rule"
    return role, str(row["kind"])


def rows_of_kind(snapshot: Snapshot, row_set: str, name: str, *, kind: str) -> Rows:
    """Return a version's rows of one kind; the defaults where it has none of that kind."""
    found = tuple(row for row in snapshot.rows_of(row_set) if row["kind"] == kind)
    return found or tuple(row for row in defaults(name) if row["kind"] == kind)


def rows_of_roles(snapshot: Snapshot, row_set: str, name: str, roles: Collection[str]) -> Rows:
    """Return a version's rows of some roles; the defaults where it has none of those."""
    found = tuple(row for row in snapshot.rows_of(row_set) if row["role"] in roles)
    return found or tuple(row for row in defaults(name) if row["role"] in roles)


class Emergency(StrEnum):
    """A sort of emergency that code knows by name, because it has a text of its own or is denied in
    words of its own; all others are rows alone.

    A system check finds a name here that no default row has. Of what rules hear, a hospital cannot
    lose one; of what only examples tell it can.
    """

    SUICIDE = "suicide"
    SELF_HARM = "self_harm"
    CRISIS_AFTER_BIRTH = "after_birth_crisis"
    OVERDOSE = "overdose_poison"
    TOOK_PILLS = "took_pills"
    GAS = "gas_inhaled"
    CHEMICAL_IN_EYE = "chemical_eye"
    SWALLOWED_OBJECT = "swallowed_object"
    MAGNETS = "magnets"


def unknown_emergencies() -> list[str]:
    """Return the names that no default row speaks of."""
    known = {row["kind"] for row in defaults("red_flags") if row["role"] in SPEAKING}
    return sorted(set(Emergency) - known)


def unheard_emergencies() -> Mapping[str, Sequence[str]]:
    """Return the languages in which an emergency would be missed, each with the slots and sorts
    that others have words or examples of."""
    own: dict[str, set[str]] = {code: set() for code in LANGUAGES}
    for row in defaults("red_flags"):
        if row["role"] in OWN and row["language"] in own:
            own[row["language"]].add(row["kind"])
    all_kinds = set().union(*own.values())
    return {code: sorted(all_kinds - kinds) for code, kinds in own.items() if all_kinds - kinds}
