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
        return self in _BLOCKED

    @property
    def is_structural(self) -> bool:
        """Return whether the published taxonomy is authoritative for the answer."""
        return self in _STRUCTURAL

    @property
    def is_navigational(self) -> bool:
        """Return whether the visitor wants a page, person or place, not an explanation."""
        return self in _NAVIGATIONAL


_BLOCKED = {"out_of_scope_medical_advice", "off_topic", "other_hospital", "vague_input"}
_STRUCTURAL = {
    "doctor_lookup", "department_or_service_lookup", "condition_information",
    "treatment_or_exam_information", "ambiguous_symptom_description",
}  # fmt: skip
_NAVIGATIONAL = {
    "doctor_lookup", "department_or_service_lookup", "booking_or_contact",
    "navigation_or_practical_info",
}  # fmt: skip
