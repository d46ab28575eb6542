"""Days are read right in every language, also in questions that nothing was built on."""

from __future__ import annotations

from collections import Counter

from lab.commands.days import RIGHT, WRONG, measure


def test_days_of_labelled_questions_are_read():
    totals: dict[str, Counter[str]] = {}
    for (name, language), counts in measure().items():
        assert counts[RIGHT] >= 0.85 * counts.total(), (name, language)
        totals[name] = totals.get(name, Counter()) + counts

    assert sum(counts.total() for counts in totals.values()) == 1_200
    for name in ("expressions t", "expressions h", "expressions s", "expressions u"):
        assert totals[name][RIGHT] >= 0.95 * totals[name].total()
        assert totals[name][WRONG] <= 0.02 * totals[name].total()
    assert sum(totals[f"no_day {name}"][WRONG] for name in "thsu") <= 2
