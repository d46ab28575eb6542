"""The closure of IS-A is what a search upwards from each concept finds, with the shortest ways."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonomy.snomed import closure
from taxonomy.snomed.closure import Hierarchy


@st.composite
def trees(draw):
    """Concepts whose parents all come before them, so that nothing goes in a circle."""
    size = draw(st.integers(2, 30))
    edges = draw(
        st.lists(st.tuples(st.integers(1, size - 1), st.integers(0, size - 2)), max_size=80)
    )
    order = draw(st.permutations(range(size)))
    return size, [(order[child], order[parent]) for child, parent in edges if parent < child]


def searched(size, edges):
    found = set()
    for start in range(size):
        queue, seen = deque([(start, 0)]), {start}
        while queue:
            at, steps = queue.popleft()
            for child, parent in edges:
                if child == at and parent not in seen:
                    seen.add(parent)
                    found.add((start, parent, steps + 1))
                    queue.append((parent, steps + 1))
    return found


def hierarchy(size, edges):
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return Hierarchy(ends[:, 0], ends[:, 1], size)


@given(trees(), st.integers(1, 40))
def test_every_ancestor_is_found_once_and_by_the_shortest_way(tree, block):
    size, edges = tree
    usual, closure.BLOCK = closure.BLOCK, block
    try:
        pairs = [
            row
            for part in hierarchy(size, edges).closure()
            for row in zip(*(column.tolist() for column in part), strict=True)
        ]
    finally:
        closure.BLOCK = usual

    assert len(pairs) == len(set(pairs))
    assert set(pairs) == searched(size, edges)


@given(trees())
def test_no_circle_is_seen_where_there_is_none(tree):
    assert hierarchy(*tree).circle() == ()


@given(trees(), st.data())
def test_a_circle_is_told_in_the_order_in_which_it_goes(tree, data):
    size, edges = tree
    ups = sorted(searched(size, edges))
    if not ups:
        return
    child, ancestor, _ = data.draw(st.sampled_from(ups))

    circle = hierarchy(size, [*edges, (ancestor, child)]).circle()

    closed = [*circle, circle[0]]
    assert all((a, b) in {*edges, (ancestor, child)} for a, b in pairwise(closed))


@pytest.mark.parametrize("edges", [pytest.param([(1, 1)], id="a concept that is itself")])
def test_the_smallest_circle(edges):
    assert hierarchy(3, edges).circle() == (1,)
