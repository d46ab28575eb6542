"""The examples of needs are whole, and the product holds what they speak of."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from chat.sources.facts import NEED_WORDS
from lab.needs.words import kept, rows_of
from lab.paths import NEED_EXAMPLES
from taxonomy.facts import needs
from zol.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_need_has_six_examples_in_every_language(language: str) -> None:
    told = Counter(row["key"] for row in rows_of(NEED_EXAMPLES) if row["language"] == language)
    assert set(told) == set(needs.keys())
    assert min(told.values()) >= 6


def test_no_example_stands_for_two_needs() -> None:
    told = Counter((row["language"], row["example"].lower()) for row in rows_of(NEED_EXAMPLES))
    assert [text for text, times in told.items() if times > 1] == []


def test_the_product_holds_the_concepts_and_words_of_the_examples() -> None:
    """Run `python -m lab.needs.words` after editing examples or the default lexicon."""
    made = kept()

    with np.load(NEED_WORDS) as shipped:
        assert set(shipped) == set(made)
        assert all(shipped[name].tolist() == made[name].tolist() for name in made)
