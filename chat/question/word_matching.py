"""Which words of the pages stand for which words of a question.

A word counts for its stem, for a compound that it is a part of ("kamer" in "eenpersoonskamer"),
for another word of its concept in the page's language, and, where nothing else is like it, for the
halves of a compound ("knieschooluren": "knieschool") or a near misspelling. A name of several
words counts where all of them stand ("le temps d'attente"). How much each says is told by how rare
it is on the pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import log
from operator import and_
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

#: The form under which words are compared, such as their stem.
Stem: TypeAlias = Callable[[str], str]
#: How surely a word stands for another: itself, as a part of a compound, misspelt, as half of it.
SAME, PART, MISSPELT, HALF = 1.0, 0.8, 0.75, 0.6
#: Letters from which a word may be a part of another, or misspelt.
PART_FROM, MISSPELT_FROM = 5, 6
#: What words are looked for by that a stem is a part of.
HEAD, TAIL = slice(PART_FROM), slice(-PART_FROM, None)
#: Letters that the other half of a compound has at least.
LEAST_LEFT = 3
LEAST_ALIKE = 84

#: In which statements of a text each of its words stands: a bit for each of them.
Places: TypeAlias = Mapping[str, int]
Grid: TypeAlias = NDArray[np.float64]

#: What a word counts whose meaning nobody knows and that no title or heading has.
EVERYDAY = 0.5


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
    #: Its names of several words, which together stand for it,
    phrases: frozenset[frozenset[str]] = frozenset()
    #: … and the names that are only a word of such a one, which may be anybody's.
    loose: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TermForms:
    """What stands for a term on the pages: words, and how surely; words that must be together."""

    words: Mapping[str, float]
    phrases: tuple[frozenset[str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases)

    def is_in(self, said: frozenset[str]) -> bool:
        """Whether some words speak of it."""
        return not self.words.keys().isdisjoint(said) or any(p <= said for p in self.phrases)


#: For each term, what stands for it.
Meanings: TypeAlias = Sequence[TermForms]


def meanings(terms: Sequence[Term], texts: Sequence[Places], stem: Stem) -> Meanings:
    """Return for each term what stands for it in some texts."""
    stems = {stem(name) for term in terms for name in term.names}
    known = PageWords(frozenset().union(*texts), (each for each in stems if len(each) >= PART_FROM))
    return [_meant(term, texts, known, stem) for term in terms]


def together(phrase: Iterable[str], text: Places) -> int:
    """Return the statements that have all words of a phrase."""
    return reduce(and_, (text.get(word, 0) for word in phrase))


class PageWords:
    """The words of some pages, some of which begin or end with a stem that is looked for."""

    def __init__(self, words: Iterable[str], stems: Iterable[str]) -> None:
        self.words = frozenset(words)
        wanted = [*stems]
        heads, tails = ({each[of] for each in wanted} for of in (HEAD, TAIL))
        self._beginning: dict[str, list[str]] = defaultdict(list)
        self._ending: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            if (head := word[HEAD]) in heads:
                self._beginning[head].append(word)
            if (tail := word[TAIL]) in tails:
                self._ending[tail].append(word)

    def holding(self, stem: str) -> Iterator[str]:
        """Yield the words that begin or end with one of the stems that are looked for."""
        for word in self._beginning.get(stem[HEAD], ()):
            if word.startswith(stem):
                yield word
        for word in self._ending.get(stem[TAIL], ()):
            if word.endswith(stem):
                yield word


def _meant(term: Term, texts: Sequence[Places], known: PageWords, stem: Stem) -> TermForms:
    stems = (frozenset(map(stem, phrase)) for phrase in term.phrases)
    possible = [phrase for phrase in stems if phrase <= known.words]
    phrases = tuple(p for p in possible if any(together(p, text) for text in texts))
    if not phrases:
        return TermForms(_of_names(term.names, known, stem))
    return TermForms(_holding(frozenset(map(stem, term.names - term.loose)), known), phrases)


def _holding(stems: frozenset[str], known: PageWords) -> dict[str, float]:
    """Return the words with one of the stems, and the compounds with it."""
    long = (each for each in stems if len(each) >= PART_FROM)
    found = {word: PART for each in long for word in known.holding(each)}
    return found | dict.fromkeys(stems & known.words, SAME)


def _of_names(names: frozenset[str], known: PageWords, stem: Stem) -> dict[str, float]:
    stems = frozenset(map(stem, names))
    found = _holding(stems, known)
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


def surety(texts: Sequence[Places], sizes: Sequence[int], meaning: Meanings) -> Grid:
    """Return for each statement of some texts, and each term of the question, how surely it is
    said there. A text has as many statements as its size says."""
    shares = np.zeros((sum(sizes), len(meaning)))
    found = [*_said(texts, sizes, meaning)]
    if found:
        rows, columns, sure = zip(*found, strict=True)
        np.maximum.at(shares, (np.array(rows), np.array(columns)), sure)
    return shares


def _said(
    texts: Sequence[Places], sizes: Sequence[int], meaning: Meanings
) -> Iterator[tuple[int, int, float]]:
    """Yield where a term is said, which one, and how surely."""
    stands_for, first = _turned(meaning), 0
    phrases = [(number, phrase) for number, means in enumerate(meaning) for phrase in means.phrases]
    for text, size in zip(texts, sizes, strict=True):
        for number, phrase in phrases:
            for place in places_in(together(phrase, text)):
                yield first + place, number, SAME
        for word in stands_for.keys() & text.keys():
            for place in places_in(text[word]):
                for number, sure in stands_for[word]:
                    yield first + place, number, sure
        first += size


@lru_cache(maxsize=4_096)
def places_in(bits: int) -> Sequence[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]


def _turned(meaning: Meanings) -> Mapping[str, Sequence[tuple[int, float]]]:
    """Return for each word the terms that it stands for, by their places."""
    turned: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, means in enumerate(meaning):
        for word, sure in means.words.items():
            turned[word].append((number, sure))
    return turned


def worths(terms: Sequence[Term], own: Grid, above: Grid) -> list[float]:
    """Return how much each term says among statements that have it, or stand under it: the rarer,
    the more.

    A word that stands nowhere may be missing on the pages, or in our lexicon: it counts, but less.
    """
    headed = above > 0
    titled, times = headed.sum(axis=0).tolist(), ((own > 0) | headed).sum(axis=0).tolist()
    found = []
    for place, term in enumerate(terms):
        rarity = log(1 + len(own) / (1 + times[place] if times[place] else 8))
        everyday = EVERYDAY if term.is_unknown and not titled[place] else 1.0
        found.append(term.worth * rarity * everyday)
    return found
