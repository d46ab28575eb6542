"""Which words of the pages stand for which words of a question.

A word counts for its stem, for a compound that it is a part of ("kamer" in "eenpersoonskamer"),
for another word of its concept in the page's language, and, where nothing else is like it, for the
halves of a compound ("knieschooluren": "knieschool") or a near misspelling.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rapidfuzz import fuzz, process

#: The form under which words are compared, such as their stem.
Stem: TypeAlias = Callable[[str], str]
#: How surely a word stands for another: itself, as a part of a compound, misspelt, as half of it.
SAME, PART, MISSPELT, HALF = 1.0, 0.8, 0.75, 0.6
#: Letters from which a word may be a part of another, or misspelt.
PART_FROM, MISSPELT_FROM = 5, 6
#: Letters that the other half of a compound has at least.
LEAST_LEFT = 3
LEAST_ALIKE = 84
#: Stands behind every word that begins alike.
LAST = chr(sys.maxunicode)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a question speaks of: its names, of which any will do, and what it says."""

    names: frozenset[str]
    #: How much of the question it is, before it is known how rare it is on these pages.
    worth: float = 1.0
    #: Whether the question is about it, rather than only mentioning it.
    is_subject: bool = False
    #: Whether it is a thing of the taxonomy.
    is_thing: bool = False
    #: Whether nobody knows what it means: a verb of everyday, or the very thing.
    is_unknown: bool = False
    #: Of how many terms it is one that together are the name of one thing.
    parts: int = 1


#: For each term, the words of the pages that stand for it, and how surely.
Meanings: TypeAlias = Sequence[Mapping[str, float]]


def meanings(terms: Sequence[Term], vocabulary: Iterable[str], stem: Stem) -> Meanings:
    """Return for each term which of the pages' words stand for it."""
    known = Known(vocabulary)
    return [_of_names(term.names, known, stem) for term in terms]


class Known:
    """The words of some pages, which may begin or end with others."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)
        self._forward = sorted(self.words)
        self._backward = sorted(word[::-1] for word in self.words)

    def holding(self, stem: str) -> Iterator[str]:
        """Yield the words that begin or end with a stem."""
        yield from _beginning(stem, self._forward)
        for word in _beginning(stem[::-1], self._backward):
            yield word[::-1]


def _beginning(stem: str, ordered: Sequence[str]) -> Sequence[str]:
    first = bisect_left(ordered, stem)
    return ordered[first : bisect_left(ordered, stem + LAST, first)]


def _of_names(names: frozenset[str], known: Known, stem: Stem) -> Mapping[str, float]:
    stems = frozenset(map(stem, names))
    long = (each for each in stems if len(each) >= PART_FROM)
    found = {word: PART for each in long for word in known.holding(each)}
    found |= dict.fromkeys(stems & known.words, SAME)
    for name in () if found else names:
        found |= _halves(name, known.words, stem)
    if not found and len(names) == 1:
        found = _misspelt(next(iter(stems)), known.words)
    return found


def _halves(name: str, known: frozenset[str], stem: Stem) -> dict[str, float]:
    """Return the longest known words that a compound which nobody uses begins and ends with."""
    lengths = range(len(name) - LEAST_LEFT, PART_FROM - 1, -1)
    begins = (stem(name[:length]) for length in lengths)
    ends = (stem(name[-length:]) for length in lengths)
    halves = (next((half for half in each if half in known), "") for each in (begins, ends))
    return dict.fromkeys(filter(None, halves), HALF)


def _misspelt(name: str, known: frozenset[str]) -> dict[str, float]:
    if len(name) < MISSPELT_FROM or not name.isalpha():
        return {}
    near = [word for word in known if word[:1] == name[:1] and abs(len(word) - len(name)) < 3]
    best = process.extractOne(name, near, scorer=fuzz.ratio, score_cutoff=LEAST_ALIKE)
    return {best[0]: MISSPELT} if best else {}
