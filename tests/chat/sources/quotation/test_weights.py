"""Weights of a statement's traits are read from a file that is refused with its first mistake."""

from __future__ import annotations

from math import log

import pytest

from chat.sources.quotation.weights import WEIGHTS, WEIGHTS_BY_WORDS, read
from zol.errors import BadInput


def test_a_cell_of_the_matrix_moves_what_is_quoted_by_two_logits():
    """From 0.55 to 1.30, in the choice of quotations and in the order of passages alike."""
    for worth in (WEIGHTS.answers, WEIGHTS.reads, WEIGHTS_BY_WORDS.answers):
        assert worth["page_weight"] * log(1.30 / 0.55) >= 2


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("answers,charm,1.0", "line 2: there is no “charm”"),
        ("answers,covers,much", "line 2: “much” is not a number"),
        ("answers,covers,inf", "line 2: “inf” is not a number"),
        ("answers,covers", "line 2: 3 values"),
        ("answers,covers,1.0\nanswers,covers,2.0", "line 3: “covers” stands twice"),
        ("answers,covers,1.0", "it needs"),
    ],
)
def test_a_file_of_weights_with_a_mistake_is_refused_by_line(tmp_path, row, why):
    file = tmp_path / "weights.csv"
    file.write_text(f"part,trait,value\n{row}\n", encoding="utf-8")

    with pytest.raises(BadInput, match=why):
        read(file)
