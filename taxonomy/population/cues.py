"""The words by which pages say things; rows that staff edit, prepared for reading."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from taxonomy.kinds import Kind, Predicate
from zol.text import words


class Sort(StrEnum):
    """What words announce."""

    TITLE = "title"
    PARTICLE = "particle"
    NO_NAME = "no_name"
    UNIT = "unit"
    HANDLES = "handles"
    OFFERS = "offers"
    PERFORMS = "performs"
    WORKS_IN = "works_in"
    ALIAS = "alias"
    NOT = "not"


#: How a department is joined to what it is there for, and the words that say so.
PREDICATE_OF = {
    Kind.CONDITION: (Predicate.HANDLES, Sort.HANDLES),
    Kind.TREATMENT: (Predicate.OFFERS, Sort.OFFERS),
    Kind.EXAMINATION: (Predicate.PERFORMS, Sort.PERFORMS),
}
Phrase = tuple[str, ...]


class Cues:
    """All cues of a hospital, by what they announce. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._phrases: dict[tuple[Sort, str], set[Phrase]] = defaultdict(set)
        self._everywhere: dict[Sort, set[str]] = defaultdict(set)
        for row in rows:
            sort, phrase = Sort(row["sort"]), words(row["phrase"])
            if phrase:
                self._phrases[sort, row["language"]].add(phrase)
                self._everywhere[sort].update(phrase)

    def in_any_language(self, sort: Sort) -> frozenset[str]:
        """Return the single words of a sort: names and titles know no language."""
        return frozenset(self._everywhere[sort])

    def words_of(self, sort: Sort, language: str) -> frozenset[str]:
        """Return the words that the phrases of a sort consist of, in a language."""
        return frozenset(w for p in self._phrases.get((sort, language), ()) for w in p)

    def find(self, text: Sequence[str], sort: Sort, language: str) -> tuple[int, int] | None:
        """Return where the first cue of a sort stands among folded words."""
        phrases = self._phrases.get((sort, language), set())
        for start in range(len(text)):
            ends = [
                start + len(phrase)
                for phrase in phrases
                if tuple(text[start : start + len(phrase)]) == phrase
            ]
            if ends:
                return start, max(ends)
        return None
