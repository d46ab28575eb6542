"""The golden questions of a hospital, asked as `manage.py evaluate` does."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from evaluation import runs
from evaluation.management.commands.evaluate import ask_here
from evaluation.reports import USUAL
from lab.floors.figures import Tally


def measure() -> Mapping[str, Any]:
    """Ask all golden questions of the served hospital."""
    cases, tally = runs.chosen({}), Tally()
    run = runs.start_run(cases, flags=USUAL, note="floors")
    ask_here(run, cases, sys.stderr)
    runs.finish(run)
    for result in runs.results_of(run, cases):
        tally.add("passed", hit=result.passed, where=result.key)
        tally.add("plain", hit=result.is_plain)
        if refused := result.scores.get("refusal"):
            tally.add("refusals", hit=refused.value == 1.0, where=result.key)
        tally.add(f"passed: {result.case.category}", hit=result.passed)
        tally.add(f"passed: {result.case.language}", hit=result.passed)
    return tally.report()
