"""Once passages are read, what speaks for them speaks as loudly as labels ask for."""

from __future__ import annotations

from hypothesis import strategies as st

from retrieval.boosts import NAMED
from retrieval.passage import Boost
from tests.builders import passage

boosts = st.lists(
    st.builds(Boost, st.sampled_from([name for name, _ in NAMED]), st.floats(0.3, 2.0)),
    max_size=4,
    unique_by=lambda said: said.name,
).map(tuple)
passages = st.lists(
    st.builds(
        lambda base, text, ordinal, said: passage(text, base, ordinal=ordinal, boosts=said),
        st.floats(0.01, 1.0) | st.none(),
        st.text(max_size=40),
        st.integers(0, 3),
        boosts,
    ),
    max_size=6,
)


def odds_of(found, values):
    return {each.chunk_id: value for each, value in zip(found, values, strict=False)}


odds = st.lists(st.floats(-2_000, 20), max_size=6)
