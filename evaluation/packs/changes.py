"""What a load changes: a count per kind of row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from enum import StrEnum


class Change(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    #: Gone from the pack: an entity is hidden, a page withdrawn; other rows are removed.
    GONE = "hidden"
    UNCHANGED = "unchanged"


class Changes:
    """Counts, in the order in which they were first made."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[Change]] = defaultdict(Counter)

    def count(self, subject: str, change: Change, number: int = 1) -> None:
        self._counts[subject][change] += number

    @property
    def total(self) -> int:
        return sum(
            number
            for counts in self._counts.values()
            for change, number in counts.items()
            if change is not Change.UNCHANGED
        )

    def of(self, subject: str, change: Change) -> int:
        return self._counts[subject][change] if subject in self._counts else 0

    def lines(self) -> Iterator[str]:
        """Give a table of the counts, and their sum."""
        yield f"{'':<16}" + "".join(f"{change:>11}" for change in Change)
        for subject, counts in self._counts.items():
            yield f"{subject:<16}" + "".join(f"{counts[change]:>11}" for change in Change)
        yield f"{self.total} changes"
