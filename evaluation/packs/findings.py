"""Findings of a load: what is wrong with a pack and where, what changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from zol.errors import BadPack


class Place(NamedTuple):
    """Where something stands in a pack: the file, the line, and the number of the cell on it."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


#: Rows have no place in a file.
NOWHERE = Place("", 0, 0)


class PackMistake(NamedTuple):
    """One mistake, in a sentence for the person who wrote the pack."""

    place: Place
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


class PackRefused(BadPack):
    """A pack with mistakes. Nothing of it is loaded."""

    def __init__(self, mistakes: Iterable[PackMistake]) -> None:
        self.mistakes = tuple(sorted(set(mistakes)))
        super().__init__("\n".join(map(str, self.mistakes)))


class Findings:
    """Collects mistakes and warnings, so that all are reported at once."""

    def __init__(self) -> None:
        self.mistakes: list[PackMistake] = []
        self.warnings: list[PackMistake] = []

    def wrong(self, place: Place, sentence: str) -> None:
        self.mistakes.append(PackMistake(place, sentence))

    def warn(self, place: Place, sentence: str) -> None:
        self.warnings.append(PackMistake(place, sentence))

    def check_once(self, found: Iterable[tuple[object, str, str, Place]]) -> None:
        """Note what was given before: its identity, how it is written, as what, and where."""
        first: dict[object, Place] = {}
        for identity, text, name, place in found:
            if text and identity in first:
                self.wrong(place, f"{name}: “{text}” stands already at {first[identity]}.")
            first.setdefault(identity, place)

    def refuse_if_any(self) -> None:
        if self.mistakes:
            raise PackRefused(self.mistakes)


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


def laid_over(row: Any, values: Mapping[str, Any]) -> Change:
    """Give a row these values, and say whether that changed it."""
    differing = [name for name, value in values.items() if getattr(row, name) != value]
    for name in differing:
        setattr(row, name, values[name])
    if differing:
        row.save(update_fields=differing)
    return Change.CHANGED if differing else Change.UNCHANGED


def lay_rows(
    subject: str,
    existing: dict[Any, Any],
    wanted: Iterable[tuple[Any, Callable[..., Any], Mapping[str, Any]]],
    changes: Changes,
    mark: str = "position",
) -> None:
    """Make rows what a pack says, and count it: of each its identity, what makes it where there is
    none, and its values. Rows that staff made have no place in the pack, and stay."""
    new = []
    for position, (identity, made, values) in enumerate(wanted, start=1):
        said, row = {"position": position, **values}, existing.pop(identity, None)
        if row is None:
            new.append(made(**said))
        else:
            changes.count(subject, laid_over(row, said))
    if own := [row for row in existing.values() if getattr(row, mark)]:
        type(own[0]).objects.filter(pk__in=[row.pk for row in own]).delete()
    changes.count(subject, Change.GONE, len(own))
    if new:
        type(new[0]).objects.bulk_create(new, batch_size=1_000)
    changes.count(subject, Change.ADDED, len(new))
