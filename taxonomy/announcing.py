"""Where a question says that a doctor's name follows: "een arts die Vos heet", "soyadı Kaya"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taxonomy.tokens import folded

#: Words between a name and what announces it, at most.
REACH = 2
#: Words of an announcement, at most.
LONGEST = 5
#: Letters from which a title may have an ending: "doktorumun".
ENDED_FROM = 5


@dataclass(frozen=True, slots=True)
class Announced:
    """Whether a question speaks of a doctor, and the words that are said to be somebody's name."""

    a_doctor: bool = False
    at: frozenset[int] = frozenset()


class Announcements:
    """The phrases beside which names stand. Immutable once built."""

    def __init__(self, phrases: Iterable[str], titles: Iterable[str]) -> None:
        self._phrases = frozenset(folded(phrase) for phrase in phrases)
        self._titles = frozenset(titles)
        self._inflected = tuple(t for t in sorted(self._titles) if len(t) >= ENDED_FROM)

    def read(self, words: Sequence[str]) -> Announced:
        """Return where a doctor's name may be expected; nowhere without a word for doctor."""
        if not any(self._is_doctor(word) for word in words):
            return Announced()
        at: set[int] = set()
        for start, end in self._spoken(words):
            at.update(range(end, min(len(words), end + REACH)))
            at.update(range(max(0, start - REACH), start))
        return Announced(a_doctor=True, at=frozenset(at))

    def _spoken(self, words: Sequence[str]) -> Iterable[tuple[int, int]]:
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + LONGEST) + 1):
                if tuple(words[start:end]) in self._phrases:
                    yield start, end

    def _is_doctor(self, word: str) -> bool:
        return word in self._titles or word.startswith(self._inflected)
