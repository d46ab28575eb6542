"""Right statements stay, wrong ones do not: the floors of the checks, over both hospitals."""

from __future__ import annotations

from collections import Counter

import pytest

from chat.checking.verdicts import holds
from lab.statements.evidence import statements
from lab.statements.spoil import HARMFUL, by_code, by_meaning
from lab.statements.table import RIGHT, judge, outcome

#: Share of right statements that code changes though a perfect judge supports them; of wrong ones
#: that are shown where no judge answers.
CHANGED, SHOWN = 0.02, 0.01


def test_right_statements_stay():
    every = statements()

    changed = [said.text for said in every if not holds(RIGHT, judge(said))]

    assert len(every) >= 300
    assert len(changed) <= CHANGED * len(every), changed


@pytest.mark.parametrize("seed", [1, 2])
def test_statements_spoiled_by_code_are_not_shown(seed):
    kinds: Counter[str] = Counter()
    shown = []
    for said in by_code(seed):
        is_off, is_perfect, _ = outcome(said)
        kinds[said.kind] += 1
        if is_off or is_perfect:
            shown.append((said.kind, said.claim.text))

    assert kinds.keys() >= HARMFUL
    assert not HARMFUL & {kind for kind, _ in shown}
    assert len(shown) <= SHOWN * kinds.total(), shown


def test_statements_that_say_something_else_are_never_taken_for_explained():
    shown = [said.claim.text for said in by_meaning() if outcome(said)[1]]

    assert not shown
