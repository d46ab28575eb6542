"""The rows of a check, or those that it comes with.

A hospital whose published version has no row of a check, because somebody deleted them all or the
version is older than the check, is guarded by the defaults: a safety check cannot be emptied.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from taxonomy.publishing.snapshot import Snapshot

DEFAULTS = Path(__file__).parent.parent / "defaults"
Rows = Sequence[Mapping[str, Any]]


@cache
def defaults(name: str) -> tuple[Mapping[str, Any], ...]:
    """Return the rows of a file of defaults."""
    with (DEFAULTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def rows_of(snapshot: Snapshot, row_set: str, name: str) -> Rows:
    """Return a version's rows of a check; the defaults where it has none."""
    return tuple(snapshot.rows_of(row_set)) or defaults(name)


def rows_of_kind(snapshot: Snapshot, row_set: str, name: str, *, kind: str) -> Rows:
    """Return a version's rows of one kind; the defaults where it has none of that kind."""
    found = tuple(row for row in snapshot.rows_of(row_set) if row["kind"] == kind)
    return found or tuple(row for row in defaults(name) if row["kind"] == kind)
