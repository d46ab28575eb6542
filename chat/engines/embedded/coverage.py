"""Which words of a question stand in which statements, and how much each of them says there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chat.engines.embedded.matching import SAME, Meanings, Places, Term, together

Grid: TypeAlias = NDArray[np.float64]

#: What a word counts whose meaning nobody knows and that no title or heading has.
EVERYDAY = 0.5


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
