"""Facts join the passages when they carry the answer, and stay out when they would dilute it."""

import pytest

from retrieval.context import decide
from retrieval.intents import Intent


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
