"""What passages that were read have in common with the best of them: who agrees comes sooner.

Passages that answer one question say the same in other words, so that a passage is likelier to
answer it the nearer it is to those that are thought to (the cluster hypothesis; the scores of a
search made smooth over its results: Diaz, *Regularizing ad hoc retrieval scores*, CIKM 2005). It
is told twice: by meaning, and by numbers, which no vector tells apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chat.checks.figures import numbers
from chat.engines.embedded.coverage import Grid
from chat.engines.embedded.cutting import REMEMBERED, Column
from chat.engines.embedded.quotes import Best
from chat.engines.embedded.traits import Seen
from retrieval.passage import Passage
from retrieval.vectors import Matrix

#: The passages, best first, that others are compared with, and how much less the later ones say:
#: each counts by its weight to this power.
LEADERS, FLATTENED = 10, 0.5
#: A share of all that is nothing but rounding.
TINY = 1e-9


class Agreement(NamedTuple):
    """How much of the best passages, each by its share, one agrees with: by the cosine of the
    statement in it that is nearest to their best one, and by the numbers of that one which it
    has."""

    agreement: float
    figures: float


def agreements(
    ranked: Sequence[Passage],
    seen: Seen,
    best: Mapping[int, Best],
    counts: NDArray[np.bool_],
    vectors: Matrix | None,
) -> dict[int, Agreement]:
    """Return for each chunk that says something how it agrees with the best of `ranked`, one of
    these with the others.

    `counts` tells of each statement seen whether it may be said at all; `vectors` has a row for
    each, None where nothing compares them.
    """
    leaders = [each for each in ranked if each.chunk_id in best and each.weight > 0][:LEADERS]
    if not leaders:
        return {}
    place_of = {passage.chunk_id: place for place, passage in enumerate(seen.passages)}
    places = [place_of[each.chunk_id] for each in leaders]
    rows = [best[each.chunk_id].row for each in leaders]
    powers = np.array([each.weight for each in leaders]) ** FLATTENED
    share = powers / powers.sum()
    #: What is left of all shares without one's own.
    others = np.ones(len(seen.passages))
    others[places] -= share
    others[others < TINY] = np.inf
    near, same = nearest(seen, rows, counts, vectors), numbers_shared(seen, rows, counts)
    for grid in (near, same):
        grid[places, range(len(places))] = 0.0
    by_meaning, by_number = ((grid @ share / others).tolist() for grid in (near, same))
    return {
        passage.chunk_id: Agreement(meant, same)
        for passage, meant, same in zip(seen.passages, by_meaning, by_number, strict=True)
        if passage.chunk_id in best
    }


def nearest(
    seen: Seen, rows: Sequence[int], counts: NDArray[np.bool_], vectors: Matrix | None
) -> Grid:
    """Return for each passage, and for each of some statements, the cosine of its nearest one."""
    if vectors is None:
        return np.zeros((len(seen.passages), len(rows)))
    alike = vectors @ vectors[rows].T
    # Of a passage that may say nothing any more nobody asks; -1 is as far as a cosine goes.
    alike[~counts] = -1.0
    found: Grid = np.maximum.reduceat(alike, seen.starts, axis=0)
    return found.astype(np.float64)


def numbers_shared(seen: Seen, rows: Sequence[int], counts: NDArray[np.bool_]) -> Grid:
    """Return for each passage which share it has of the numbers of each of some statements."""
    ends = [*seen.starts[1:].tolist(), len(counts)]
    spans = [slice(*each) for each in zip(seen.starts.tolist(), ends, strict=True)]
    own = [
        told_in(passage.text) if counts[span].all() else _told(seen, span, counts)
        for passage, span in zip(seen.passages, spans, strict=True)
    ]
    return np.column_stack([_shares(told_in(seen.pool[row].text), own) for row in rows])


def _told(seen: Seen, span: slice, counts: NDArray[np.bool_]) -> frozenset[str]:
    """Return the numbers of those statements of a passage that count."""
    said = zip(seen.pool[span], counts[span], strict=True)
    return frozenset().union(*(told_in(each.text) for each, does in said if does))


def _shares(wanted: frozenset[str], own: Sequence[frozenset[str]]) -> Column:
    if not wanted:
        return np.zeros(len(own))
    return np.array([len(wanted & each) / len(wanted) for each in own])


@lru_cache(maxsize=REMEMBERED)
def told_in(text: str) -> frozenset[str]:
    """Return the numbers in a text that tell something; a single digit is anybody's."""
    return frozenset(number for number in numbers(text) if len(number) > 1)
