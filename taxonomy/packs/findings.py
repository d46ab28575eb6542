"""Findings of an import: what is wrong and where, and what changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from zol.errors import BadPack


class CellPlace(NamedTuple):
    """Position of a cell: file, line and column in a pack; row and column in a spreadsheet."""

    file: str
    line: int
    column: int | str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


#: Rows have no place in a file.
NOWHERE = CellPlace("", 0, 0)


class Mistake(NamedTuple):
    """One mistake, in a sentence for the person who wrote the file."""

    place: CellPlace
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"

    @property
    def row(self) -> int:
        return self.place.line

    @property
    def column(self) -> int | str:
        return self.place.column


class PackRefused(BadPack):
    """A pack with mistakes. Nothing of it is loaded."""

    def __init__(self, mistakes: Iterable[Mistake], first: Container[str] = ()) -> None:
        """`first` are files to begin with: others may be right once those can be read."""
        self.mistakes = tuple(
            sorted(set(mistakes), key=lambda each: (each.place.file not in first, each))
        )
        super().__init__("\n".join(map(str, self.mistakes)))


class Findings:
    """Collect mistakes and warnings, to report all at once."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.warnings: list[Mistake] = []
        #: Files of which rows could not be read: what others say of those is not checked.
        self.lost: set[str] = set()

    def wrong(self, place: CellPlace, sentence: str) -> None:
        self.mistakes.append(Mistake(place, sentence))

    def lose(self, place: CellPlace, sentence: str) -> None:
        """Note a mistake by which a row, or all, cannot be read."""
        self.lost.add(place.file)
        self.wrong(place, sentence)

    def warn(self, place: CellPlace, sentence: str) -> None:
        self.warnings.append(Mistake(place, sentence))

    def check_once(self, found: Iterable[tuple[object, str, str, CellPlace]]) -> None:
        """Note repeated rows; each is its identity, how it is written, its column and its place."""
        first: dict[object, CellPlace] = {}
        for identity, text, name, place in found:
            if text and identity in first:
                self.wrong(place, f"{name}: “{text}” stands already at {first[identity]}.")
            first.setdefault(identity, place)


class Change(StrEnum):
    """Outcome of a row."""

    NEW = "new"
    CHANGED = "changed"
    #: Not in a table that holds all rows: an entity is hidden, a page withdrawn, others removed.
    GONE = "gone"
    UNCHANGED = "unchanged"


#: The columns of a printed preview.
PRINTED = {"added": Change.NEW, "changed": Change.CHANGED, "hidden": Change.GONE,
           "unchanged": Change.UNCHANGED}  # fmt: skip


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
        """Yield a table of the counts, and their sum."""
        yield f"{'':<16}" + "".join(f"{name:>11}" for name in PRINTED)
        for subject, counts in self._counts.items():
            yield f"{subject:<16}" + "".join(f"{counts[each]:>11}" for each in PRINTED.values())
        yield f"{self.total} changes"
