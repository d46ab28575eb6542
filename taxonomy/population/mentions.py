"""Which entities a text names, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing, Vocabulary
from zol.text import words

#: Letters of the shortest spelling; shorter abbreviations are also ordinary words.
SHORTEST = 4


class Mention(NamedTuple):
    start: int
    end: int
    things: tuple[Thing, ...]


class Mentions:
    """Every spelling of a vocabulary, found in folded words; the longest wins."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._things: dict[tuple[str, ...], list[Thing]] = defaultdict(list)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for thing in vocabulary.things:
            for text in (thing.name, *(spelling.text for spelling in thing.aliases)):
                spelt = words(text)
                if sum(map(len, spelt)) >= SHORTEST and thing not in self._things[spelt]:
                    self._things[spelt].append(thing)
                    self._lengths[spelt[0]].add(len(spelt))

    def named(self, text: str, kind: Kind) -> tuple[Thing, ...]:
        """Return what a whole text is a spelling of."""
        return tuple(t for t in self._things.get(words(text), ()) if t.kind is kind)

    def find(self, text: Sequence[str]) -> Iterator[Mention]:
        """Yield what is named, in the order of the text."""
        start = 0
        while start < len(text):
            lengths = sorted(self._lengths.get(text[start], ()), reverse=True)
            for length in lengths:
                if found := self._things.get(tuple(text[start : start + length])):
                    yield Mention(start, start + length, tuple(found))
                    start += length - 1
                    break
            start += 1
