"""Identifiers: digits only, of a known kind, with the right check digit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonomy.snomed.checks import Part, is_valid, parse
from tests.taxonomy.snomed.synthetic import make


@pytest.mark.parametrize(
    "text", ["116680003", "900000000000003001", "900000000000508004", "404684003", "138875005"]
)
def test_identifiers_of_the_format_itself_are_valid(text):
    assert is_valid(parse([text]), Part.CONCEPT).tolist() == [True]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("116680004", id="another check digit"),
        pytest.param("116860003", id="two digits changed places"),
        pytest.param("", id="nothing"),
        pytest.param("12345", id="too short"),
        pytest.param("9000000000000030010", id="too long"),
        pytest.param(" 116680003", id="a space"),
        pytest.param("+116680003", id="a sign"),
        pytest.param("11668OOO3", id="letters"),
        pytest.param("0116680003", id="a leading zero"),
        pytest.param("0109999999109", id="a leading zero that the check digit of the rest allows"),
        pytest.param("١١٦٦٨٠٠٠٣", id="digits of another script"),
        pytest.param(str(make(np.array([7]), Part.DESCRIPTION)[0]), id="a description's"),
    ],
)
def test_what_is_no_identifier_of_a_concept(text):
    assert is_valid(parse([text]), Part.CONCEPT).tolist() == [False]


@given(st.integers(1, 9_999_999), st.sampled_from(Part), st.integers(0, 17), st.integers(1, 9))
def test_any_single_wrong_digit_is_noticed(item, part, place, more):
    (made,) = make(np.array([item]), part).tolist()
    digits = list(str(made))
    place %= len(digits)
    digits[place] = str((int(digits[place]) + more) % 10)
    wrong = parse(["".join(digits)])

    assert is_valid(np.array([made]), part)[0]
    assert not is_valid(wrong, part)[0]
