"""The transitive closure of IS-A: who is under whom, and how far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

#: Concepts whose ancestors are worked out together: bounds the memory.
BLOCK = 20_000


class Pairs(NamedTuple):
    """Descendants, each beside an ancestor, with the steps of the shortest way between them."""

    descendants: Numbers
    ancestors: Numbers
    distances: Numbers


class Hierarchy:
    """Children and their direct parents, as positions from 0 to `size`."""

    def __init__(self, children: Numbers, parents: Numbers, size: int) -> None:
        edges = np.unique(children.astype(np.int64) * size + parents)
        self.size = size
        self._children, self._parents = edges // size, edges % size
        self._first = np.searchsorted(self._children, np.arange(size + 1))

    def circle(self) -> tuple[int, ...]:
        """Return concepts that are each other's ancestors, in order; empty when there are none."""
        left = self._left_over()
        if not len(left):
            return ()
        stuck = set(left.tolist())
        seen: dict[int, int] = {}
        at = int(left[0])
        while at not in seen:
            seen[at] = len(seen)
            # Whoever is left over has a parent that is left over, too.
            parents = self._parents[self._first[at] : self._first[at + 1]].tolist()
            at = next(parent for parent in parents if parent in stuck)
        return tuple(list(seen)[seen[at] :])

    def closure(self) -> Iterator[Pairs]:
        """Yield all pairs, block by block, sorted by descendant. There must be no circle."""
        for start in range(0, self.size, BLOCK):
            first, last = self._first[start], self._first[min(start + BLOCK, self.size)]
            if first < last:
                yield self._of_block(self._children[first:last], self._parents[first:last])

    def _of_block(self, children: Numbers, parents: Numbers) -> Pairs:
        reached = fresh = children * self.size + parents
        distances = np.ones(len(reached), dtype=np.int64)
        distance = 1
        while len(fresh):
            distance += 1
            fresh = self._one_up(fresh)
            at = np.searchsorted(reached, fresh)
            at[at == len(reached)] = 0
            fresh = fresh[reached[at] != fresh]
            reached = np.concatenate([reached, fresh])
            distances = np.concatenate([distances, np.full(len(fresh), distance)])
            order = np.argsort(reached, kind="stable")
            reached, distances = reached[order], distances[order]
        return Pairs(reached // self.size, reached % self.size, distances)

    def _one_up(self, pairs: Numbers) -> Numbers:
        """Return the pairs of the same descendants with the parents of their ancestors."""
        descendants, ancestors = pairs // self.size, pairs % self.size
        starts = self._first[ancestors]
        counts = self._first[ancestors + 1] - starts
        ends = np.cumsum(counts)
        if not len(ends) or not ends[-1]:
            return np.empty(0, dtype=np.int64)
        places = np.arange(ends[-1]) - np.repeat(ends - counts, counts) + np.repeat(starts, counts)
        return np.unique(np.repeat(descendants, counts) * self.size + self._parents[places])

    def _left_over(self) -> Numbers:
        """Return what remains when, again and again, all without a parent are taken away."""
        going = np.ones(len(self._children), dtype=bool)
        while going.any():
            has_parent = np.zeros(self.size, dtype=bool)
            has_parent[self._children[going]] = True
            still = going & has_parent[self._parents]
            if still.sum() == going.sum():
                return np.unique(self._children[going])
            going = still
        return np.empty(0, dtype=np.int64)
