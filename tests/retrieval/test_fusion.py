"""The base score lies in (0, 1], follows the fused rank, and is never 0 for a hit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.query import SearchResult, bases_by_score, fused
from tests.builders import passage


def test_near_equals_have_near_bases_and_the_others_follow_their_rank():
    bases = bases_by_score([2.0, 1.96, 1.0, 1.0, 0.0])

    assert bases == pytest.approx([1.0, 0.9604, 1 / 1.7, 1 / 1.7, 1 / 2.4])


@given(st.lists(st.floats(0.0, 10.0), min_size=1, max_size=40))
def test_every_base_is_above_zero_in_the_order_of_the_scores(scores):
    bases = bases_by_score(sorted(scores, reverse=True))

    assert all(0.0 < base <= 1.0 for base in bases)
    assert bases == sorted(bases, reverse=True)


def test_what_two_searches_found_counts_for_both_and_stands_once():
    one = SearchResult((passage("a", 1.0, chunk_id=1), passage("b", 0.8, chunk_id=2)), 0.4, 1)
    other = SearchResult((passage("c", 1.0, chunk_id=3), passage("b", 0.8, chunk_id=2)), 0.6, 2)

    both = fused(one, other)

    assert [each.chunk_id for each in both.passages] == [2, 1, 3]
    assert all(0.0 < each.base <= 1.0 for each in both.passages)
    assert (both.best_similarity, both.dense_hits) == (0.6, 2)
