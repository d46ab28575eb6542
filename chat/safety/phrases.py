"""Many phrases looked for at once, in folded words, accents and capitals aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from taxonomy.tokens import folded

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PhraseMatch(Generic[T]):
    """A phrase that occurs: from which word up to which, and what it stands for."""

    start: int
    end: int
    text: str
    meaning: T


class PhraseBook(Generic[T]):
    """Phrases and what they stand for. Immutable once built.

    Up to `gap` other words may stand between two words of a phrase: "pijn op de borst" is heard in
    "pijn heel erg op de borst".
    """

    def __init__(self, phrases: Iterable[tuple[str, T]], *, gap: int = 0) -> None:
        self._gap = gap
        #: Where nothing may stand between words, two of them leave fewer to compare than one.
        self._known_by = 1 if gap else 2
        self._by_first: dict[tuple[str, ...], list[tuple[tuple[str, ...], str, T]]] = {}
        for text, meaning in phrases:
            if words := folded(text):
                known = self._by_first.setdefault(words[: self._known_by], [])
                known.append((words, text, meaning))

    def find(self, words: Sequence[str]) -> Iterator[PhraseMatch[T]]:
        """Yield every phrase that occurs, in the order of where it begins."""
        words = tuple(words)
        for start in range(len(words)):
            for size in range(1, min(self._known_by, len(words) - start) + 1):
                for phrase, text, meaning in self._by_first.get(words[start : start + size], ()):
                    if end := self._end(words, start, phrase):
                        yield PhraseMatch(start, end, text, meaning)

    def _end(self, words: Sequence[str], start: int, phrase: tuple[str, ...]) -> int:
        """Return where a phrase that begins here ends; 0 when it is not all there."""
        at = start + 1
        for wanted in phrase[1:]:
            reach = range(at, min(len(words), at + self._gap + 1))
            found = next((position for position in reach if words[position] == wanted), -1)
            if found < 0:
                return 0
            at = found + 1
        return at
