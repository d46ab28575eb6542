"""Which kinds of entities a text names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from zol.text import words

#: Words of the longest name that is looked for.
LONGEST = 5
#: Letters of the shortest one; shorter abbreviations are also ordinary words.
SHORTEST = 3


class Names:
    """The spellings of a hospital's entities, prepared once for many texts."""

    def __init__(self, spellings: Iterable[tuple[str, str]]) -> None:
        """Take pairs of spelling and kind."""
        self._kinds: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for text, kind in spellings:
            found = words(text)
            if 0 < len(found) <= LONGEST and sum(map(len, found)) >= SHORTEST:
                self._kinds[found].add(kind)
                self._lengths[found[0]].add(len(found))

    def kinds_in(self, text: str) -> tuple[str, ...]:
        """Return the kinds of the entities that are named, in alphabetical order."""
        found = words(text)
        kinds: set[str] = set()
        for start, word in enumerate(found):
            for length in self._lengths.get(word, ()):
                kinds |= self._kinds.get(found[start : start + length], set())
        return tuple(sorted(kinds))
