"""Fields that keep only what a patient can be told."""

from __future__ import annotations

from typing import Any

from django.db import models

from taxonomy.facts.schedules import UnreadableSchedule, check_hours, parse, written
from zol.refusals import refused


def validate_hours(hours: str) -> None:
    try:
        check_hours(hours)
    except UnreadableSchedule as error:
        raise refused(error) from error


class ScheduleField(models.CharField):
    """A consultation schedule, kept in the form of the packs however it was written."""

    def to_python(self, value: Any) -> Any:
        try:
            return written(parse(super().to_python(value) or ""))
        except UnreadableSchedule as error:
            raise refused(error) from error

    def get_prep_value(self, value: Any) -> Any:
        """Write rows from before a schedule had to be readable as they are."""
        return value if isinstance(value, str) else super().get_prep_value(value)
