"""Neighbours join what was found, and facts only where they carry the answer."""

import pytest

from retrieval.context import decide, with_neighbours, without_overlap
from retrieval.intents import Intent
from tests.builders import passage, source


def test_words_that_two_neighbours_share_are_read_once():
    before = "Breng uw identiteitskaart mee en meld u aan het onthaal"
    after = "en meld u aan het onthaal van campus Sint-Jan."

    assert without_overlap(before, after) == "van campus Sint-Jan."


def test_a_neighbour_has_half_the_score_and_never_replaces_a_hit():
    page = source()
    hit = passage("raak", 0.8, source=page, ordinal=1)
    before = passage("ervoor", None, source=page, ordinal=0)

    widened = with_neighbours([hit], {hit.chunk_id: [before, hit]}, 0.5)

    assert [(p.text, p.weight) for p in widened] == [("raak", 0.8), ("ervoor", 0.4)]


@pytest.mark.parametrize(
    ("intent", "hits", "similarity", "rule"),
    [
        pytest.param(Intent.DOCTOR_LOOKUP, 9, 0.9, "structural intent", id="who works where"),
        pytest.param(
            Intent.NAVIGATION_OR_PRACTICAL_INFO, 2, 0.9, "few dense results", id="little was found"
        ),
        pytest.param(
            Intent.NAVIGATION_OR_PRACTICAL_INFO, 9, 0.3, "low similarity", id="nothing comes near"
        ),
        pytest.param(
            Intent.NAVIGATION_OR_PRACTICAL_INFO, 9, 0.9, "strong passages", id="pages suffice"
        ),
    ],
)
def test_rules_apply_in_order(intent, hits, similarity, rule):
    decision = decide(intent, dense_hits=hits, best_similarity=similarity, low_similarity=0.35)

    assert decision.rule == rule
    assert decision.injects is (rule != "strong passages")
