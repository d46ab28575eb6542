"""Requests for personal advice are refused, and plain questions are not: floors by set."""

from __future__ import annotations

from collections import Counter

import pytest

from chat.safety.advice import advice_cues_of
from lab.safety.advice import MEASURED, measured
from taxonomy.publishing.snapshot import Snapshot

#: By set: requests that are refused at least, and other messages that are refused at most.
FLOORS = {
    "intents": (35, 13),
    "golden": (20, 1),
    "golden elsewhere": (30, 1),
    "whom to see": (0, 4),
    "whom to see, sealed": (0, 2),
}


@pytest.fixture(scope="module")
def refused():
    """Count the messages that are refused, by set and whether they ask for advice."""
    cues = Snapshot(0, 0).derived(advice_cues_of)
    return Counter(
        (name, is_asked) for text, is_asked, name in measured() if cues.check(text).blocks
    )


@pytest.mark.parametrize("name", MEASURED)
def test_requests_are_refused_and_little_else(refused, name):
    least, most = FLOORS[name]

    assert refused[name, True] >= least
    assert refused[name, False] <= most
