"""Which words of a question stand in which statements, and how much each of them says there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chat.engines.embedded.matching import SAME, Meanings, Term

Grid: TypeAlias = NDArray[np.float64]

#: What a word counts whose meaning nobody knows and that no title or heading has.
EVERYDAY = 0.5


def surety(found: Sequence[frozenset[str]], meaning: Meanings) -> Grid:
    """Return for each set of words, and each term of the question, how surely it is among them."""
    numbers: dict[int, int] = {}
    # What stands above is one set for many statements.
    order = [numbers.setdefault(id(said), len(numbers)) for said in found]
    shares, stands_for = np.zeros((len(numbers), len(meaning))), _turned(meaning)
    words = frozenset(stands_for)
    together = [(number, means.phrases) for number, means in enumerate(meaning) if means.phrases]
    for said in {id(each): each for each in found}.values():
        for number, phrases in together:
            if any(phrase <= said for phrase in phrases):
                shares[numbers[id(said)], number] = SAME
        if common := words & said:
            row = shares[numbers[id(said)]]
            for word in common:
                for number, sure in stands_for[word]:
                    row[number] = max(row[number], sure)
    covered: Grid = shares[order]
    return covered


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
