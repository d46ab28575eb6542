"""Which words of the pages stand for which words of a question.

A word counts for its stem, for a compound that it is a part of ("kamer" in "eenpersoonskamer"),
for another word of its concept in the page's language, and, where nothing else is like it, for the
halves of a compound ("knieschooluren": "knieschool") or a near misspelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    known = frozenset(vocabulary)
    return [_of_names(term.names, known, stem) for term in terms]


def _of_names(names: frozenset[str], known: frozenset[str], stem: Stem) -> Mapping[str, float]:
    stems = frozenset(map(stem, names))
    found = dict.fromkeys(_parts(stems, known), PART)
    found |= dict.fromkeys(stems & known, SAME)
    for name in () if found else names:
        found |= _halves(name, known, stem)
    if not found and len(names) == 1:
        found = _misspelt(next(iter(stems)), known)
    return found


def _halves(name: str, known: frozenset[str], stem: Stem) -> dict[str, float]:
    """Return the longest known words that a compound which nobody uses begins and ends with."""
    lengths = range(len(name) - LEAST_LEFT, PART_FROM - 1, -1)
    begins = (stem(name[:length]) for length in lengths)
    ends = (stem(name[-length:]) for length in lengths)
    halves = (next((half for half in each if half in known), "") for each in (begins, ends))
    return dict.fromkeys(filter(None, halves), HALF)


def _parts(stems: frozenset[str], known: frozenset[str]) -> frozenset[str]:
    """Return the compounds that begin or end with one of the stems."""
    long = tuple(each for each in stems if len(each) >= PART_FROM)
    if not long:
        return frozenset()
    return frozenset(word for word in known if word.startswith(long) or word.endswith(long))


def _misspelt(name: str, known: frozenset[str]) -> dict[str, float]:
    if len(name) < MISSPELT_FROM or not name.isalpha():
        return {}
    near = [word for word in known if word[:1] == name[:1] and abs(len(word) - len(name)) < 3]
    best = process.extractOne(name, near, scorer=fuzz.ratio, score_cutoff=LEAST_ALIKE)
    return {best[0]: MISSPELT} if best else {}
