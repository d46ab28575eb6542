"""Checks of what a model wrote, statement by statement, before a patient sees it (spec 05).

To add one, write a function of the shape of `base.Check` and list it here.
"""

from __future__ import annotations

from chat.checks.statements.base import Check, Fault, Statement
from chat.checks.statements.citations import cites_what_exists, rests_on_something
from chat.checks.statements.evidence import Evidence
from chat.checks.statements.knowledge import Knowledge
from chat.checks.statements.names import (
    no_diagnosis,
    published_names_are_meant,
    titled_people_exist,
)
from chat.checks.statements.numbers import (
    dose_stands_together,
    figures_stand_in_a_source,
    phone_belongs,
)

__all__ = ["CHECKS", "Evidence", "Fault", "Knowledge", "Statement", "fault_of"]

CHECKS: tuple[Check, ...] = (
    cites_what_exists,
    no_diagnosis,
    figures_stand_in_a_source,
    dose_stands_together,
    phone_belongs,
    published_names_are_meant,
    titled_people_exist,
    rests_on_something,
)


def fault_of(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Return the first thing wrong with a statement; None when it may be shown."""
    found = (check(said, evidence, known) for check in CHECKS)
    return next((fault for fault in found if fault), None)
