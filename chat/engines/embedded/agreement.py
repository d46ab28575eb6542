"""What passages that were read have in common with the best of them: who agrees comes sooner.

Passages that answer one question say the same in other words, so that a passage is likelier to
answer it the nearer it is to those that are thought to (the cluster hypothesis; the scores of a
search made smooth over its results: Diaz, *Regularizing ad hoc retrieval scores*, CIKM 2005). It
is told twice: by meaning, and by numbers, which no vector tells apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from chat.engines.embedded.coverage import Grid
from chat.engines.embedded.cutting import REMEMBERED, Column
from chat.engines.embedded.quotes import Best
from chat.engines.embedded.traits import Seen
from retrieval.passage import Passage
from retrieval.vectors import Matrix

#: The passages, best first, that others are compared with, and how much less the later ones say:
#: each counts by its weight to this power.
LEADERS, FLATTENED = 10, 0.5
#: A number of two digits or more, however it is grouped.
_NUMBER = re.compile(r"\d(?:[ .:/,]?\d)+")


class Agreement(NamedTuple):
    """How much of the best passages, each by its share, one agrees with: by the cosine of the
    statement in it that is nearest to their best one, and by the numbers of that one which it
    has."""

    agreement: float
    figures: float


def agreements(
    ranked: Sequence[Passage], seen: Seen, best: Mapping[int, Best], vectors: Matrix | None
) -> dict[int, Agreement]:
    """Return for each chunk that says something how it agrees with the best of `ranked`, itself
    left out; `vectors` has a row for each statement seen, None where nothing compares them."""
    place_of = {passage.chunk_id: place for place, passage in enumerate(seen.passages)}
    leaders = [each for each in ranked if each.chunk_id in best and each.weight > 0][:LEADERS]
    if not leaders:
        return {}
    places = [place_of[each.chunk_id] for each in leaders]
    rows = [best[each.chunk_id].row for each in leaders]
    powers = np.array([each.weight for each in leaders]) ** FLATTENED
    share = powers / powers.sum()
    near = nearest(seen, rows, vectors)
    same = numbers_shared(seen, rows)
    for grid in (near, same):
        grid[places, range(len(places))] = 0.0
    by_meaning, by_number = (near @ share).tolist(), (same @ share).tolist()
    return {
        chunk: Agreement(by_meaning[place], by_number[place])
        for chunk, place in place_of.items()
        if chunk in best
    }


def nearest(seen: Seen, rows: Sequence[int], vectors: Matrix | None) -> Grid:
    """Return for each passage, and for each of some statements, the cosine of its nearest one."""
    if vectors is None:
        return np.zeros((len(seen.passages), len(rows)))
    found: Grid = np.maximum.reduceat(vectors @ vectors[rows].T, seen.starts, axis=0)
    return found.astype(np.float64)


def numbers_shared(seen: Seen, rows: Sequence[int]) -> Grid:
    """Return for each passage which share it has of the numbers of each of some statements."""
    own = [numbers(passage.text) for passage in seen.passages]
    return np.column_stack([_shares(numbers(seen.pool[row].text), own) for row in rows])


def _shares(wanted: frozenset[str], own: Sequence[frozenset[str]]) -> Column:
    if not wanted:
        return np.zeros(len(own))
    return np.array([len(wanted & each) / len(wanted) for each in own])


@lru_cache(maxsize=REMEMBERED)
def numbers(text: str) -> frozenset[str]:
    """Return the numbers in a text, as their digits alone."""
    return frozenset(re.sub(r"\D", "", found) for found in _NUMBER.findall(text))
