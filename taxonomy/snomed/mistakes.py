"""What is wrong with a release, by file and line; all of it is said at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zol.errors import BadInput

#: Mistakes shown; a file in the wrong encoding has one in every line.
SHOWN = 100


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}" if self.line else f"{self.file}: {self.what}"


class ReleaseRefused(BadInput):
    """A release with mistakes: nothing of it was loaded."""

    def __init__(self, shown: Iterable[Mistake], total: int) -> None:
        self.shown = tuple(shown)
        self.total = total
        lines = [str(mistake) for mistake in self.shown]
        if total > len(lines):
            lines.append(f"… and {total - len(lines):,} more.")
        super().__init__("\n".join(lines))


class Mistakes:
    """Collects mistakes; keeps the first ones and counts the rest."""

    def __init__(self) -> None:
        self.first: list[Mistake] = []
        self.total = 0

    def add(self, file: str, line: int, what: str) -> None:
        self.total += 1
        if len(self.first) < SHOWN:
            self.first.append(Mistake(file, line, what))

    def refuse_if_any(self) -> None:
        if self.total:
            raise ReleaseRefused(self.first, self.total)
