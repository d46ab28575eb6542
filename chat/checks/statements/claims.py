"""What is never said to a patient, whatever a source may say: that they have an illness."""

from __future__ import annotations

from chat.checks.statements.base import Fault, Statement
from chat.checks.statements.evidence import Evidence
from chat.checks.statements.knowledge import Knowledge


def no_diagnosis(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a diagnosis or a personal instruction about medication."""
    found = next(iter(known.diagnoses.find(said.words)), None)
    return Fault("claims", found.text) if found else None
