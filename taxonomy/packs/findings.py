"""Results of an import: mistakes with their positions, and counts of changes."""

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


#: The place of rows from the database.
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
    """A pack with mistakes, none of which is loaded."""

    def __init__(self, mistakes: Iterable[Mistake], first: Container[str] = ()) -> None:
        """Sort mistakes, those of the files in `first` before others that may follow from them."""
        self.mistakes = tuple(
            sorted(set(mistakes), key=lambda each: (each.place.file not in first, each))
        )
        super().__init__("\n".join(map(str, self.mistakes)))


class Findings:
    """Mistakes and warnings, collected to be reported at once."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.warnings: list[Mistake] = []
        #: Files with unreadable rows; references to them are not checked.
        self.incomplete: set[str] = set()

    def wrong(self, place: CellPlace, sentence: str) -> None:
        self.mistakes.append(Mistake(place, sentence))

    def unreadable(self, place: CellPlace, sentence: str) -> None:
        """Note a mistake that makes a row or the whole file unreadable."""
        self.incomplete.add(place.file)
        self.wrong(place, sentence)

    def warn(self, place: CellPlace, sentence: str) -> None:
        self.warnings.append(Mistake(place, sentence))


class Change(StrEnum):
    """Outcome of a row."""

    NEW = "new"
    CHANGED = "changed"
    #: Missing in a complete table: an entity is hidden, a page withdrawn, other rows are deleted.
    GONE = "gone"
    UNCHANGED = "unchanged"


#: The columns of a printed preview.
PRINTED = {"added": Change.NEW, "changed": Change.CHANGED, "hidden": Change.GONE,
           "unchanged": Change.UNCHANGED}  # fmt: skip


class Changes:
    """Counts of changes by subject, in order of their first occurrence."""

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
        """Yield the lines of a table of the counts and their total."""
        yield f"{'':<16}" + "".join(f"{name:>11}" for name in PRINTED)
        for subject, counts in self._counts.items():
            yield f"{subject:<16}" + "".join(f"{counts[each]:>11}" for each in PRINTED.values())
        yield f"{self.total} changes"
