"""What is wrong with a pack, and where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

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


class Mistake(NamedTuple):
    """One mistake, in a sentence for the person who wrote the pack."""

    place: Place
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


class PackRefused(BadPack):
    """A pack with mistakes. Nothing of it is loaded."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(sorted(set(mistakes)))
        super().__init__("\n".join(map(str, self.mistakes)))


class Findings:
    """Collects mistakes and warnings, so that all are reported at once."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.warnings: list[Mistake] = []

    def wrong(self, place: Place, sentence: str) -> None:
        self.mistakes.append(Mistake(place, sentence))

    def warn(self, place: Place, sentence: str) -> None:
        self.warnings.append(Mistake(place, sentence))

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
