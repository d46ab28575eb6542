"""The intents of visitors: the only list of them in the product."""

from __future__ import annotations

from enum import StrEnum


class Intent(StrEnum):
    DOCTOR_LOOKUP = "doctor_lookup"
    DEPARTMENT_OR_SERVICE_LOOKUP = "department_or_service_lookup"
    CONDITION_INFORMATION = "condition_information"
    TREATMENT_OR_EXAM_INFORMATION = "treatment_or_exam_information"
    NAVIGATION_OR_PRACTICAL_INFO = "navigation_or_practical_info"
    BOOKING_OR_CONTACT = "booking_or_contact"
    AMBIGUOUS_SYMPTOM_DESCRIPTION = "ambiguous_symptom_description"
    UNKNOWN = "unknown"
    OUT_OF_SCOPE_MEDICAL_ADVICE = "out_of_scope_medical_advice"
    OFF_TOPIC = "off_topic"
    OTHER_HOSPITAL = "other_hospital"
    VAGUE_INPUT = "vague_input"

    @property
    def is_blocked(self) -> bool:
        """Return whether a question of this intent is never searched."""
        return self in BLOCKED

    @property
    def is_structural(self) -> bool:
        """Return whether the published taxonomy is authoritative for the answer."""
        return self in STRUCTURAL

    @property
    def is_navigational(self) -> bool:
        """Return whether the visitor wants a page, person or place, not an explanation."""
        return self in NAVIGATIONAL


BLOCKED = frozenset(
    {
        Intent.OUT_OF_SCOPE_MEDICAL_ADVICE,
        Intent.OFF_TOPIC,
        Intent.OTHER_HOSPITAL,
        Intent.VAGUE_INPUT,
    }
)
STRUCTURAL = frozenset(
    {
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
        Intent.CONDITION_INFORMATION,
        Intent.TREATMENT_OR_EXAM_INFORMATION,
        Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION,
    }
)
NAVIGATIONAL = frozenset(
    {
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
        Intent.BOOKING_OR_CONTACT,
        Intent.NAVIGATION_OR_PRACTICAL_INFO,
    }
)
