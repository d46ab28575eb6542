"""A passage is changed field by field, and never in its place."""

from dataclasses import replace

import pytest

from retrieval.passage import Boost, Passage, Source

PASSAGE = Passage(1, "Parkeren kost 2 euro.", Source(1, "Parkeren", "https://x.be/p"), 0.4, 0.9)


def test_a_changed_passage_is_what_the_standard_library_makes_of_it():
    fields = {"affinity": 1.3, "steered_by": "parking", "boosts": (Boost("campus", 1.1),)}

    changed = PASSAGE.changed(**fields)

    assert changed == replace(PASSAGE, **fields)
    assert hash(changed) == hash(replace(PASSAGE, **fields))
    assert PASSAGE.affinity == 1.0


def test_what_a_passage_has_not_cannot_be_changed():
    with pytest.raises(TypeError, match="afinity"):
        PASSAGE.changed(afinity=1.3)
